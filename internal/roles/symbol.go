package roles

import (
	"strings"

	"github.com/unpark-go/unpark"
)

// packageOf returns the import path of a function's package as pprof prints the
// function: "net/http" for "net/http.(*conn).serve". It is "" for code that is not
// Go's, such as C functions.
func packageOf(function string) string {
	if pkg := unpark.PackageOf(function); pkg != function {
		return pkg
	}
	return ""
}

// Outer returns the declared function that a function was written in: closures,
// the wrappers of go and defer statements, range-over-func bodies and method
// values lose their suffix ("main.(*T).M.func2.1" is "main.(*T).M").
func Outer(function string) string {
	for {
		cut := trimGenerated(function)
		if cut == function || packageOf(cut) == "" {
			return function
		}
		function = cut
	}
}

// trimGenerated removes one suffix that the compiler adds
// (cmd/compile/internal/ir.closureName).
func trimGenerated(f string) string {
	if s, ok := strings.CutSuffix(f, "-fm"); ok {
		return s
	}
	if i := strings.LastIndex(f, "-range"); i > 0 && digits(f[i+len("-range"):]) {
		return f[:i]
	}
	dot := strings.LastIndexByte(f, '.')
	if dot <= 0 {
		return f
	}
	last := f[dot+1:]
	for _, word := range [...]string{"", "func", "gowrap", "deferwrap"} {
		if n, ok := strings.CutPrefix(last, word); ok && digits(n) {
			return strings.TrimSuffix(f[:dot], ".")
		}
	}
	return f
}

// defers reports whether a function is the wrapper that the compiler makes of a
// defer statement with arguments: its caller is the function that defers.
func defers(function string) bool {
	i := strings.LastIndex(function, ".deferwrap")
	return i > 0 && digits(function[i+len(".deferwrap"):])
}

func digits(s string) bool {
	for _, r := range s {
		if r < '0' || r > '9' {
			return false
		}
	}
	return s != ""
}

// canonical returns a function as the tables write it: without type
// arguments, vendor folders and major versions in the import path
// ("github.com/jackc/puddle/v2.(*Pool[...]).Acquire" is
// "github.com/jackc/puddle.(*Pool).Acquire").
func canonical(function string) string {
	if !strings.ContainsAny(function, "[%") && !strings.Contains(function, "/v") && !strings.HasPrefix(function, "vendor/") {
		return function // most are
	}
	function = unpark.WithoutTypeArguments(function)
	pkg := packageOf(function)
	rest := function[len(pkg):]
	if i := strings.LastIndex(pkg, "/vendor/"); i >= 0 {
		pkg = pkg[i+len("/vendor/"):]
	}
	pkg = strings.TrimPrefix(pkg, "vendor/")
	// gopkg.in puts the version into the last element: yaml%2ev3.
	if i := strings.LastIndex(pkg, "%2ev"); i >= 0 && digits(pkg[i+len("%2ev"):]) {
		pkg = pkg[:i]
	}
	elems := strings.Split(pkg, "/")
	kept := elems[:0]
	for i, e := range elems {
		if v, ok := strings.CutPrefix(e, "v"); ok && digits(v) && i > 0 {
			continue
		}
		kept = append(kept, e)
	}
	return strings.Join(kept, "/") + rest
}

// byName returns the roles that a function has by how it is named.
func byName(function, symbol string) []Role {
	var out []Role
	pkg := packageOf(symbol)
	if pkg == "" {
		out = append(out, Machinery)
	}
	if standard(pkg) {
		out = append(out, Standard)
	}
	if strings.HasPrefix(symbol, "golang.org/x/") {
		out = append(out, Extended)
	}
	if defers(function) {
		out = append(out, Deferred)
	}
	if passesOn(symbol) {
		out = append(out, PassesOn)
	}
	if strings.HasSuffix(symbol, ").Accept") { // of net.Listener
		out = append(out, Listens)
	}
	if acts(symbol) {
		out = append(out, Acts)
	}
	if prepares(symbol) {
		out = append(out, Prepares)
	}
	if _, setup := SetupOf(function); setup || prepares(symbol) || Constructs(symbol) {
		out = append(out, Lasts)
	}
	if unique(symbol) {
		out = append(out, Unique)
	}
	return out
}

// standard reports whether a package belongs to Go itself, or code to none. A module may
// call itself "shop" without a dot, so the first element is compared with those that
// $GOROOT/src has.
func standard(pkg string) bool {
	first, _, _ := strings.Cut(pkg, "/")
	switch first {
	case "archive", "bufio", "bytes", "cmp", "compress", "container", "context", "crypto", "database",
		"debug", "embed", "encoding", "errors", "expvar", "flag", "fmt", "go", "hash", "html", "image",
		"index", "internal", "io", "iter", "log", "maps", "math", "mime", "net", "os", "path", "plugin",
		"reflect", "regexp", "runtime", "slices", "sort", "strconv", "strings", "structs", "sync",
		"syscall", "testing", "text", "time", "unicode", "unique", "unsafe", "uuid", "vendor", "weak",
		"", "type:", "go:":
		return true
	}
	return false
}

// passesOn reports whether a method is the Lock or Unlock of a type that wraps a
// mutex: the place of interest is its caller.
func passesOn(symbol string) bool {
	switch symbol[strings.LastIndexByte(symbol, '.')+1:] {
	case "Lock", "Unlock", "RLock", "RUnlock":
		return true
	}
	return false
}

// Symbol returns a function as tables of functions write it: without type arguments,
// vendor folders and major versions in the import path.
func Symbol(function string) string { return canonical(function) }
