package constructs_test

import (
	"fmt"
	"testing"

	"example.com/constructs"
)

func TestRun(t *testing.T) {
	for _, line := range constructs.Run() {
		fmt.Println("line:", line)
	}
}
