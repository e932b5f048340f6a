package hook

import (
	"fmt"
	"log"
	"os"
)

// Fatal is log.Fatal, and its like in klog: the message goes to standard error, and the process ends with code 1, as
// [Exit] ends it. The site comes first, since the arguments are variadic.
func Fatal(s *Site, args ...any) {
	fmt.Fprint(os.Stderr, endLine(fmt.Sprint(args...)))
	Exit(1, s)
}

// Fatalf is log.Fatalf.
func Fatalf(s *Site, format string, args ...any) {
	fmt.Fprint(os.Stderr, endLine(fmt.Sprintf(format, args...)))
	Exit(1, s)
}

// Fatalln is log.Fatalln.
func Fatalln(s *Site, args ...any) {
	fmt.Fprintln(os.Stderr, args...)
	Exit(1, s)
}

// endLine ends a message as the loggers do: with a newline, unless it has one.
func endLine(message string) string {
	if message == "" || message[len(message)-1] != '\n' {
		message += "\n"
	}
	return message
}

// LoggerFatal is (*log.Logger).Fatal: the message goes where the logger writes.
func LoggerFatal(l *log.Logger, s *Site, args ...any) {
	l.Output(2, fmt.Sprint(args...))
	Exit(1, s)
}

// LoggerFatalf is (*log.Logger).Fatalf.
func LoggerFatalf(l *log.Logger, s *Site, format string, args ...any) {
	l.Output(2, fmt.Sprintf(format, args...))
	Exit(1, s)
}

// LoggerFatalln is (*log.Logger).Fatalln.
func LoggerFatalln(l *log.Logger, s *Site, args ...any) {
	l.Output(2, fmt.Sprintln(args...))
	Exit(1, s)
}
