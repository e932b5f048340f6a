// Package sample picks kernels for the commands of testdata that cannot take all of them.
package sample
