package kernels_test

import (
	"testing"

	"github.com/snapstorm/snapstorm/sim"
	"github.com/snapstorm/snapstorm/testdata/kernels"
	"github.com/snapstorm/snapstorm/testdata/kernels/check"
)

func TestMain(m *testing.M) { sim.Main(m) }

func TestKernels(t *testing.T) { check.Find(t, check.Programs(kernels.All())) }

func TestRepeat(t *testing.T) { check.Repeat(t, check.Programs(kernels.All())) }

func TestBugs(t *testing.T) { check.Bugs(t, check.Programs(kernels.All())) }

func TestTwins(t *testing.T) { check.Twins(t, check.Programs(kernels.All())) }
