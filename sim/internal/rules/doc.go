// Package rules holds the rules of this tree as tests, so that nobody has to remember them.
//
// It has no code but its tests. TestTree has one subtest for each rule; it reads the whole checkout and names each
// breach by file and line, with its mend. TestProbes feeds each rule small trees that break it or only just keep it, and
// compares what it says: a rule that cannot fail is worth nothing.
//
// # Words
//
//   - tree: every file of the checkout, but those in directories whose name starts with a dot.
//   - breach: one place where a rule is broken. Mend: what to do about it.
//   - probe: a tree of a few lines with the breaches that a rule must find in it.
//
// # What it does not do
//
// It reads syntax and does not check types: a local variable that is named like an imported package is taken for the
// package. It does not ask git, so a stray file that is not committed is a breach too; and since it opens each file
// itself, the cached result of go test is dropped whenever one of them changes.
package rules
