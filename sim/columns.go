package sim

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// textWidth is how wide a finding's text is: a plain terminal has 80 columns, of which package testing takes eight.
const textWidth = 72

// wrap breaks a line between words so that it is no longer than width; what follows is indented. A word that is longer stays
// as it is: it may be a path to be copied.
func wrap(line, indent string, width int) []string {
	var lines []string
	for _, word := range strings.Fields(line) {
		n := len(lines) - 1
		switch {
		case n < 0:
			lines = append(lines, word)
		case utf8.RuneCountInString(lines[n])+1+utf8.RuneCountInString(word) <= width:
			lines[n] += " " + word
		default:
			lines = append(lines, indent+word)
		}
	}
	return lines
}

// cut shortens text to width, at its end.
func cut(text string, width int) string {
	r := []rune(text)
	if len(r) <= width {
		return text
	}
	return string(r[:width-1]) + "…"
}

// cutPath shortens file:line to width, at its beginning and after a slash if there is one: the end tells the file.
func cutPath(path string, width int) string {
	for whole := path; utf8.RuneCountInString(path) > width; {
		_, rest, found := strings.Cut(strings.TrimPrefix(path, "…/"), "/")
		if !found {
			r := []rune(whole)
			return "…" + string(r[len(r)-width+1:])
		}
		path = "…/" + rest
	}
	return path
}

// cell is one operation of a task, for a table with a column for each.
type cell struct {
	step   int
	task   int // its id
	text   string
	place  string
	marked bool
}

// gap is between columns, and holds the mark.
const gap = 2

// columns lays cells out in the order of time, with a column for each task, under its name.
func columns(cells []cell, tasks []int, names map[int]string, width int) []string {
	each := width/len(tasks) - gap
	var lines []string
	put := func(column int, mark, text string) {
		line := strings.Repeat(" ", column*(each+gap)) + mark + " " + text
		lines = append(lines, strings.TrimRight(line, " "))
	}
	head := ""
	for _, id := range tasks {
		name := cut(names[id], each-1)
		head += "  " + name + strings.Repeat(" ", each-utf8.RuneCountInString(name))
	}
	lines = append(lines, strings.TrimRight(head, " "))
	for _, c := range cells {
		column := slices.Index(tasks, c.task)
		mark := " "
		if c.marked {
			mark = ">"
		}
		if c.place != "" {
			put(column, mark, cut(c.text, each))
			put(column, " ", cutPath(c.place, each))
			continue
		}
		for i, line := range wrap(c.text, "", each) {
			put(column, mark, cut(line, each))
			if mark = " "; i == 2 {
				break
			}
		}
	}
	return lines
}
