// Package kube holds kernels that need a cluster: what controllers get wrong with client-go's workqueue, with informers,
// with their caches and with the API.
//
// It follows package kernels: a few lines of ordinary Go in the shape of a bug that real controllers had, restated in code
// of our own, and a twin that differs by the fix alone. Each kernel is the main function of a program in a small cluster,
// where others may act meanwhile. A bug whose result is wrong shows in a property of the cluster, or panics.
package kube
