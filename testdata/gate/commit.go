package main

import (
	"cmp"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
)

// commit names what is tested, and makes a seed of its hash if none is given: the first 15 of its hexadecimal digits.
func commit(given uint64) (name string, seed uint64, err error) {
	text, err := exec.Command("git", "rev-parse", "HEAD").Output()
	hash := strings.TrimSpace(string(text))
	switch {
	case err != nil && given == 0:
		return "", 0, fmt.Errorf("git rev-parse HEAD: %w: outside a git repository give a -seed", err)
	case err != nil:
		return "no commit", given, nil
	}
	if seed, err = strconv.ParseUint(hash[:15], 16, 64); err != nil {
		return "", 0, err
	}
	changes, err := exec.Command("git", "status", "--porcelain", "--untracked-files=no").Output()
	if name = "commit " + hash[:12]; len(changes) > 0 {
		name += " and changes that are not committed"
	}
	return name, cmp.Or(given, seed), err
}
