package roles

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/unpark-go/unpark"
)

// Constructs reports whether a function, by its name, makes a value that is there to be used
// often: New and what it makes (Effective Go, "Names" and "Constructors and composite literals"),
// Compile and MustCompile, which turn text into what is then matched or run (regexp, and its
// kin), as functions or as methods, and Open of a library, whose handle serves many calls
// (database/sql.Open: "rarely necessary to close"). A file of package os is another one each time, and so is what is [Unique].
func Constructs(function string) bool {
	if unique(function) {
		return false
	}
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

// prepares reports whether a function, by its name, turns what it is given into what is then used, and so serves for more than one
// request where it is not given something of a request: rules are built, fonts loaded, expressions parsed. What of Go's own does that is
// known by name (SetupOf); what it parses else, an address or a number, is a request's.
func prepares(symbol string) bool {
	name := symbol[strings.LastIndex(symbol, "/")+1:]
	pkg, name, ok := strings.Cut(name, ".")
	if !ok || pkg == "main" || standard(packageOf(symbol)) {
		return false
	}
	if receiver, method, of := strings.Cut(name, ")."); of && strings.HasPrefix(receiver, "(") {
		name = method
	}
	name = strings.TrimPrefix(name, "Must")
	for _, verb := range []string{"Build", "Parse", "Load", "Compile"} {
		if begins(name, verb) {
			return true
		}
	}
	return false
}

// acts reports whether a function, by its name, is called for what it does and not for what it returns: it writes, adds, sends. There
// is no result of it to keep.
func acts(symbol string) bool {
	name := symbol[strings.LastIndex(symbol, "/")+1:]
	if _, rest, ok := strings.Cut(name, "."); ok {
		name = rest
	}
	if _, method, of := strings.Cut(name, ")."); of {
		name = method
	}
	name, _, _ = strings.Cut(name, "[")
	for _, verb := range []string{
		"Printf", "Println", "Fprintf", "Fprintln", "Debugf", "Infof", "Warnf", "Errorf",
		"Write", "Add", "Set", "Put", "Inc", "Dec", "Observe", "Record", "Log", "Debug", "Info", "Warn", "Error", "Print", "Fprint", "Send", "Publish", "Flush", "Sync", "Close",
		"Delete", "Remove", "Update", "Insert", "Save", "Store", "Commit", "Push", "Append", "Copy", "Start", "Stop", "Serve", "Handle", "Reset", "Next", "Scan", "Read",
	} {
		if begins(name, verb) {
			return true
		}
	}
	return false
}

// unique reports whether a function, by its name or its package's, makes another value each time on purpose: identifiers, random
// numbers, errors with what went wrong, requests. Neither is one of them kept for the next.
func unique(symbol string) bool {
	name := symbol[strings.LastIndex(symbol, "/")+1:]
	pkg, name, ok := strings.Cut(name, ".")
	if !ok || pkg == "main" {
		return false
	}
	if identifiers.MatchString(pkg) {
		return begins(name, "New") || begins(name, "Make") || begins(name, "Must") || begins(name, "Generate")
	}
	words := unpark.Words(name)
	return len(words) > 1 && slices.Contains([]string{"new", "make", "generate", "random"}, words[0]) &&
		slices.Contains([]string{"id", "uuid", "guid", "ulid", "random", "nonce", "salt", "error", "request"}, words[len(words)-1])
}

// identifiers are packages that make them: google/uuid, oklog/ulid, segmentio/ksuid, rs/xid, and their kin.
var identifiers = regexp.MustCompile(`(?i)^(go-?)?(short|g|u|x|ks|c|type|nano|gonano|snowflake-?)?(uuid|guid|ulid|uid|id)(2|-go)?$`)

// begins reports whether a name is a verb, or a verb with what it is done to.
func begins(name, verb string) bool {
	rest, ok := strings.CutPrefix(name, verb)
	r, _ := utf8.DecodeRuneInString(rest)
	return ok && !strings.Contains(rest, ".") && (rest == "" || unicode.IsUpper(r))
}
