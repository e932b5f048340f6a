// Package instrument turns ordinary Go source into source that runs under the scheduler: ordinary Go source in,
// instrumented source and a build overlay out. Files on disk are never touched.
//
// # What it does
//
// [Build.Run] loads the test binary of one directory, rewrites every package of the main module that the binary
// contains, and builds it with "go test -c -overlay". In the rewritten text each concurrency operation (go, channels,
// select, sync, atomic, timers, maps that others can reach) calls package
// github.com/snapstorm/snapstorm/sim/hook. Outside of a simulated world the hooks pass through, so that the
// instrumented binary does what the plain one does.
//
// # Words
//
//   - target: a package that is rewritten. All packages of the main module are, with their test files, except those at
//     or below snapstorm's own sim and fakes; external test packages of these are targets again.
//   - foreign: a package that is neither a target, nor in the standard library, nor sim or fakes. A call into it may
//     block or come back on another goroutine, so that a call of hook.Back follows it.
//   - site: one rewritten operation. Each file carries a table of its sites, and the hooks name their site by address.
//   - subject: a file whose text is replaced for one build ([Build.Replace]): a generation, or a mutant.
//
// # What it guarantees
//
// Every token of the user keeps its line. Text is inserted in place; where a piece has to move (the channels of a
// select, the arguments of a go statement) a /*line*/ comment says where it came from. So stacks, race reports and
// profiles name the user's own lines. What has no original line stands after the end of the file.
//
// Types stay as they are: a sync.Mutex remains one and can be handed to a library.
//
// An operation that cannot be rewritten is an error with file, line and the mend; all of them are reported at once.
// Each instrumented package announces itself when it starts, so that a build that lost the overlay is noticed.
//
// Order of evaluation is the language's own, with one exception: in "go x.once.Do(f)" the operand x is evaluated in the
// new task (an x that is computed is refused).
//
// # Points for memory
//
// A statement that touches memory which other goroutines can reach gets a point before it, if it has none of its own: a
// field through a pointer, an element of a slice, a dereference, a package variable that is written somewhere, a
// captured variable that is written. The condition of an else-if and the expressions of a case have no place for a
// point. A map that never leaves its function needs points only for its order.
//
// A write m[k] = v has its point after the points of k and v, also in a tuple assignment: m[k], err = f(). It has it
// before them in m[k] += f(), and in a tuple assignment with a call on its left side.
//
// # Libraries that are copied
//
// A few libraries start goroutines or block, and wake several of them at once, which no scheduler from the outside can
// order: client-go's workqueue, errgroup, semaphore and singleflight of golang.org/x/sync, and k8s.io/utils/clock, from
// which the workqueue has its timers. When a target or another copy imports one, the overlay adds an instrumented copy as a
// package of the main module (in directory snapstorm_copy, which does not exist on disk), and the import is rewritten.
//
// An interface of a copy is the original's, by an alias, if all that it names is the same in both. So a copied clock can be
// handed to a library that is not instrumented, and a clock of k8s.io/utils/clock/testing to a copied workqueue. The other
// types of a copy are types of their own: a program that hands an errgroup.Group to a foreign function does not build, and
// the error says why.
//
// # Shapes of modules
//
// All modules of a workspace (go.work) are main modules, and so targets; a module in a replace directive, or nested in the
// directory of another, is foreign. A vendor directory must hold package sim, which it does once a test imports that. Build
// tags go to Build.Flags. Generated files, files with //line, embedded files and assembly are no exception; stacks keep what
// //line says, and sites name the line of the file itself.
//
// # What it does not do
//
// Files that import "C" or use go:linkname are left alone, with a note; the other files of their package are not.
// klog.FatalDepth is refused, and so are: a few functions and methods as values (of a computed operand, as in f().TryLock,
// with a type of another package in the signature, or through a dot import), the second result of a receive or of m[f()] as
// a named bool, and a method that is promoted through a type parameter. A loop over a map visits a key that is not equal to
// itself with the zero value.
//
// Code of other modules is not rewritten, but for the copies; a copy cannot be made of a library that imports an
// internal package, and that is an error. Conversions of a *sync.Mutex to an interface are not followed: a call of Lock or
// Unlock through an interface that has both is taken for one of sync.Locker.
package instrument
