package fakes_test

import (
	"testing"

	"github.com/snapstorm/snapstorm/sim"
)

func TestMain(m *testing.M) { sim.Main(m) }
