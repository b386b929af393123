// Command gen writes tables.json: it builds a program with each Go toolchain that it is given,
// for each processor, and reads the layout of its runtime from the program's DWARF; and
// reasons.json: the words of each for why goroutines wait, from its source.
//
//	go run ./gen go1.22.12 go1.26.8 …
package main

import (
	"debug/elf"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark/internal/measure/inspect/layout"
)

// program reaches what a service does: profiles are recorded, goroutines wait.
const program = `package main

import (
	"net/http"
	_ "net/http/pprof"
)

func main() { _ = http.ListenAndServe("127.0.0.1:0", nil) }
`

func main() {
	all, words := map[string]layout.Layout{}, map[string][]string{}
	for _, version := range os.Args[1:] {
		minor := strings.Join(strings.SplitN(version, ".", 3)[:2], ".")
		var err error
		if words[minor], err = reasons(version); err != nil {
			fail(version, err)
		}
		for _, arch := range []string{"amd64", "arm64"} {
			l, err := of(version, arch)
			if err != nil {
				fail(version+" "+arch, err)
			}
			all[minor+" "+arch] = l
		}
	}
	for name, v := range map[string]any{"tables.json": all, "reasons.json": words} {
		b, err := json.MarshalIndent(v, "", "\t")
		if err == nil {
			err = os.WriteFile(name, append(b, '\n'), 0o600)
		}
		if err != nil {
			fail(name, err)
		}
	}
}

func fail(of string, err error) {
	fmt.Fprintf(os.Stderr, "gen: %s: %v\n", of, err)
	os.Exit(1)
}

// reasons reads waitReasonStrings, whose keys are the constants of waitReason in their order.
func reasons(version string) ([]string, error) {
	root := exec.Command("go", "env", "GOROOT")
	root.Env = append(os.Environ(), "GOTOOLCHAIN="+version)
	dir, err := root.Output()
	if err != nil {
		return nil, err
	}
	file := filepath.Join(strings.TrimSpace(string(dir)), "src", "runtime", "runtime2.go")
	tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		return nil, err
	}
	words := map[string]string{}
	var order []string
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.KeyValueExpr:
			key, of := n.Key.(*ast.Ident)
			word, is := n.Value.(*ast.BasicLit)
			if of && is && strings.HasPrefix(key.Name, "waitReason") {
				words[key.Name], err = strconv.Unquote(word.Value)
			}
		case *ast.ValueSpec:
			if name := n.Names[0].Name; strings.HasPrefix(name, "waitReason") && name != "waitReasonStrings" {
				order = append(order, name)
			}
		}
		return err == nil
	})
	out := make([]string, len(order))
	for i, name := range order {
		out[i] = words[name]
	}
	if len(order) < 20 || len(words) != len(order) {
		return nil, fmt.Errorf("%s: %d reasons and %d words", file, len(order), len(words))
	}
	return out, err
}

// of builds the program and reads it.
func of(version, arch string) (layout.Layout, error) {
	dir, err := os.MkdirTemp("", "layout")
	if err != nil {
		return layout.Layout{}, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	files := map[string]string{"go.mod": "module gen\n\ngo 1.22\n", "main.go": program}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return layout.Layout{}, err
		}
	}
	build := exec.Command("go", "build", "-o", "program", ".")
	build.Dir = dir
	build.Env = append(os.Environ(), "GOTOOLCHAIN="+version, "GOOS=linux", "GOARCH="+arch, "CGO_ENABLED=0", "GOWORK=off", "GOFLAGS=")
	if said, err := build.CombinedOutput(); err != nil {
		return layout.Layout{}, fmt.Errorf("%w: %s", err, said)
	}
	f, err := elf.Open(filepath.Join(dir, "program"))
	if err != nil {
		return layout.Layout{}, err
	}
	defer func() { _ = f.Close() }()
	d, err := f.DWARF()
	if err != nil {
		return layout.Layout{}, err
	}
	return layout.FromDWARF(d)
}
