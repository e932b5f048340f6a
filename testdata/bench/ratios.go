package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// rounds is how many measurements of each ratio there are: as many as benchstat wants.
const rounds = 6

// printRatios measures all ratios and prints them as benchmarks with the unit "ratio".
func printRatios() error {
	for _, race := range []bool{false, true} {
		steps, err := measure("./sim/sched", "^BenchmarkStepRatio$", race, 1)
		if err != nil {
			return err
		}
		for _, m := range steps {
			printRatio(m.Name, m.Metrics["step/pingpong"], race)
		}
		fakes, err := measure("./fakes", "^Benchmark(Get|Update|List100|Deliver)$", race, 200)
		if err != nil {
			return err
		}
		printPairs(fakes, race)
	}
	return nil
}

// printPairs prints the ratio of each measurement of our cluster and the one of the generated fakes' tracker with its number.
func printPairs(all []measurement, race bool) {
	times := map[string][]float64{}
	var order []string
	for _, m := range all {
		name, _, _ := strings.Cut(m.Name, "-") // the number of processors
		if times[name] == nil {
			order = append(order, name)
		}
		times[name] = append(times[name], m.Metrics["ns/op"])
	}
	for _, name := range order {
		call, ours := strings.CutSuffix(name, "/cluster")
		theirs := times[call+"/tracker"]
		for i := 0; ours && i < min(len(times[name]), len(theirs)); i++ {
			printRatio(call, times[name][i]/theirs[i], race)
		}
	}
}

func printRatio(name string, ratio float64, race bool) {
	name, _, _ = strings.Cut(name, "-")
	fmt.Print(label(fmt.Sprintf("%s 1 %.3f ratio\n", name, ratio), race))
}

// measure runs benchmarks so many rounds, each of them so many times. They have one processor, so that others who are at work on
// the machine slow both sides of a ratio alike.
func measure(pkg, pattern string, race bool, times int) ([]measurement, error) {
	args := []string{"test", "-run=^$", "-bench=" + pattern, fmt.Sprintf("-count=%d", rounds), fmt.Sprintf("-benchtime=%dx", times)}
	if race {
		args = append(args, "-race")
	}
	cmd := exec.Command("go", append(args, pkg)...)
	cmd.Env, cmd.Stderr = append(os.Environ(), "GOMAXPROCS=1"), os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go test %s: %w\n%s", pkg, err, text)
	}
	return parse(string(text), race), nil
}
