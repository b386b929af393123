package roles

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Constructs reports whether a function, by its name, makes a value that is there to be used
// often: New and what it makes (Effective Go, "Names" and "Constructors and composite literals"),
// Compile and MustCompile, which turn text into what is then matched or run (regexp, and its
// kin), as functions or as methods, and Open of a library, whose handle serves many calls
// (database/sql.Open: "rarely necessary to close"). A file of package os is another one each time.
func Constructs(function string) bool {
	pkg := function[strings.LastIndex(function, "/")+1:]
	pkg, name, ok := strings.Cut(pkg, ".")
	if !ok {
		return false
	}
	if receiver, method, of := strings.Cut(name, ")."); of && strings.HasPrefix(receiver, "(") {
		return begins(method, "Compile")
	}
	name, _, _ = strings.Cut(name, "[")
	return begins(name, "New") || begins(name, "Compile") || begins(name, "MustCompile") || begins(name, "Open") && pkg != "os"
}

// begins reports whether a name is a verb, or a verb with what it is done to.
func begins(name, verb string) bool {
	rest, ok := strings.CutPrefix(name, verb)
	r, _ := utf8.DecodeRuneInString(rest)
	return ok && !strings.Contains(rest, ".") && (rest == "" || unicode.IsUpper(r))
}
