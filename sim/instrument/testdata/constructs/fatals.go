package constructs

import (
	"fmt"
	"log"
	"os"

	"k8s.io/klog/v2"
)

var fatalf = log.Fatalf

// fatal is never called.
func fatal(err error) {
	logger := log.New(os.Stderr, "prefix ", 0)
	if err != nil {
		logger.Fatalf("%v of %d", err, 2)
	}
	logger.Fatal()
	fail := logger.Fatalln
	fail("a", 1)
	log.Fatal(err)
	log.Fatalf("only a format")
	defer log.Fatalln()
	klog.Fatal(err, "b")
	klog.Exitf(
		"%s",
		fmt.Sprint(err),
	)
	args := []any{1, 2}
	go klog.Fatalln(args...)
	fatalf("%d %d", args...)
}
