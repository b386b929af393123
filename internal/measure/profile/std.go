package profile

import "strings"

// standard reports whether a package belongs to Go itself. A module may call
// itself "shop" without a dot, so the first element is compared with those that
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

// runtimePackage reports whether a package is the runtime or below it.
func runtimePackage(pkg string) bool {
	switch pkg {
	case "runtime", "internal/abi", "internal/bytealg", "internal/cpu", "internal/chacha8rand", "internal/goarch", "type:", "go:":
		return true
	}
	return strings.HasPrefix(pkg, "internal/runtime/") || strings.HasPrefix(pkg, "runtime/internal/")
}
