// Package twin builds and keeps the instrumented twins of test binaries.
//
// A twin is the same package's test binary, built with the sources that package instrument wrote. Twins are kept in the
// user's cache directory, under a key made of everything that they were built from, so a second run starts at once.
package twin
