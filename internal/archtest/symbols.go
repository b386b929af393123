package archtest

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Symbol is a name of a function or type of Go or of a known module that stands outside
// of the catalogue, and why it may. The table of them can only shrink.
type Symbol struct{ File, Name, Why string }

// checkSymbols returns the string literals that name a symbol outside of the catalogue,
// and the lines of the table that nothing needs any more. Tests name what they like.
func (p Policy) checkSymbols(files []*source) []Violation {
	var out []Violation
	used := map[Symbol]bool{}
	for _, src := range files {
		if src.test || len(p.Catalogues) == 0 || slices.Contains(p.Catalogues, path.Dir(src.name)) || src.name == table {
			continue
		}
		ast.Inspect(src.parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ImportSpec:
				return false
			case *ast.BasicLit:
				text, err := strconv.Unquote(n.Value)
				if n.Kind != token.STRING || err != nil || !p.namesSymbol(text) {
					break
				}
				i := slices.IndexFunc(p.Symbols, func(s Symbol) bool { return s.File == src.name && s.Name == text })
				if i >= 0 {
					used[p.Symbols[i]] = true
					break
				}
				v := src.at(n.Pos())
				v.What = fmt.Sprintf("%q names a symbol: give it a role in %s and ask for that", text, p.Catalogues[0])
				out = append(out, v)
			}
			return true
		})
	}
	for _, s := range p.Symbols {
		if !used[s] {
			out = append(out, Violation{File: table, What: fmt.Sprintf("%q is not in %s any more: take its line out of the table", s.Name, s.File)})
		}
	}
	return out
}

// namesSymbol reports whether a text is a symbol of Go's runtime, of its standard
// library or of a module of a known host, as profiles write it, or how such symbols
// begin: "net/http.(*conn).serve", "sync.(*Mutex)", "runtime.", "(*conn).serve". What has
// a space is a sentence, unless only a remark in parentheses follows it.
func (p Policy) namesSymbol(text string) bool {
	text, _, _ = strings.Cut(text, " (")
	if strings.ContainsAny(text, " \t\n:") {
		return false
	}
	if method, ok := strings.CutPrefix(strings.TrimPrefix(text, "."), "(*"); ok {
		return identifier(method) != ""
	}
	end := len(text)
	if i := strings.IndexAny(text, "[("); i >= 0 {
		end = i
	}
	slash := strings.LastIndexByte(text[:end], '/') + 1
	dot := strings.IndexByte(text[slash:], '.')
	if dot < 0 {
		return false
	}
	pkg, name := text[:slash+dot], text[slash+dot+1:]
	if !p.known(pkg) {
		return false
	}
	return name == "" || name[0] == '*' || name[0] == '(' || identifier(name) != "" && !version(name)
}

// identifier returns the identifier that a text begins with, if one does that is not a
// keyword: "go.mod" is a file, "known.go" as well.
func identifier(text string) string {
	end := strings.IndexFunc(text, func(r rune) bool { return !token.IsIdentifier("x" + string(r)) })
	if end < 0 {
		end = len(text)
	}
	if !token.IsIdentifier(text[:end]) {
		return ""
	}
	return text[:end]
}

// version reports whether a name is the end of an import path: gopkg.in/yaml.v3.
func version(name string) bool {
	n, err := strconv.Atoi(strings.TrimPrefix(name, "v"))
	return err == nil && n > 0
}

// known reports whether a package is of Go, or of a module of a known host.
func (p Policy) known(pkg string) bool {
	if slices.ContainsFunc(p.Packages, func(own Package) bool { return own.Path == pkg }) {
		return false
	}
	first, _, below := strings.Cut(pkg, "/")
	switch first {
	case "bufio", "bytes", "cmp", "context", "crypto", "embed", "encoding", "errors", "expvar", "flag", "fmt", "hash", "html", "image",
		"io", "iter", "log", "maps", "math", "mime", "net", "os", "path", "plugin", "reflect", "regexp", "runtime", "slices", "sort",
		"strconv", "strings", "structs", "sync", "syscall", "testing", "time", "unicode", "unique", "unsafe", "weak":
		return true
	case "archive", "compress", "container", "database", "debug", "go", "index", "internal", "text", "vendor",
		"github.com", "gitlab.com", "golang.org", "google.golang.org", "gopkg.in", "go.uber.org", "go.opentelemetry.io", "go.mongodb.org",
		"k8s.io", "cloud.google.com", "gorm.io", "connectrpc.com":
		return below
	}
	return false
}
