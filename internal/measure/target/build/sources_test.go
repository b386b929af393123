package build

import (
	"bytes"
	"maps"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestSources(t *testing.T) {
	dir := module(t, "vendored")
	s, err := ListSources(t.Context(), Spec{Package: ".", Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		filepath.Join(dir, "main.go"):                       "main.go",
		"example.com/vendored/main.go":                      "main.go", // -trimpath
		filepath.Join(dir, "vendor/example.com/dep/dep.go"): "vendor/example.com/dep/dep.go",
		"example.com/dep/dep.go":                            "vendor/example.com/dep/dep.go",
	} {
		got, err := s.Find(name)
		if err != nil || got.Path != filepath.Join(dir, want) || !bytes.Contains(got.Text, []byte("package ")) || got.Package == "" {
			t.Errorf("%s: %s in %q, %v", name, got.Path, got.Package, err)
		}
	}
	goroot := goRoot(t)
	for name, want := range map[string]string{
		filepath.Join(goroot, "src/runtime/proc.go"): "standard library",
		"runtime/asm_amd64.s":                        "standard library",
		filepath.Join(dir, "other.go"):               "is no Go source that example.com/vendored is built from",
		"/nowhere/main.go":                           "in no package that the program is built from",
		"":                                           "in no package",
	} {
		if got, err := s.Find(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %s, %v", name, got.Path, err)
		}
	}
	if _, err := ListSources(t.Context(), Spec{Package: "./nothing", Dir: dir}); err == nil || !strings.Contains(err.Error(), "list the sources of ./nothing") {
		t.Errorf("got %v", err)
	}
}

func goRoot(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// What a module cache holds, and what an overlay may change.
func TestSourceNames(t *testing.T) {
	p := sourcePackage{Dir: "/cache/example.com/dep@v1.2.3/in", ImportPath: "example.com/dep/in", GoFiles: []string{"a.go"}}
	type mod = struct {
		Path, Version, Dir string
		Main               bool
		Replace            *struct{ Path, Version, Dir string }
	}
	p.Module = &mod{Path: "example.com/dep", Version: "v1.2.3", Dir: "/cache/example.com/dep@v1.2.3"}
	for _, name := range []string{"/cache/example.com/dep@v1.2.3/in/a.go", "example.com/dep@v1.2.3/in/a.go"} {
		if _, err := (Sources{packages: []sourcePackage{p}}).Find(name); err == nil || !strings.Contains(err.Error(), "belongs to example.com/dep") {
			t.Errorf("%s: %v", name, err)
		}
	}
	p.CgoFiles, p.GoFiles = p.GoFiles, nil
	if _, err := (Sources{packages: []sourcePackage{p}}).Find("example.com/dep@v1.2.3/in/a.go"); err == nil || !strings.Contains(err.Error(), "cgo") {
		t.Errorf("got %v", err)
	}
	for _, m := range []*mod{
		nil,
		{Path: "example.com/dep", Main: true, Dir: "/src"},
		{Path: "example.com/dep", Version: "v1.2.3"}, // vendored
		{Path: "example.com/dep", Version: "v1.2.3", Dir: "/src", Replace: &struct{ Path, Version, Dir string }{Path: "../dep", Dir: "/src"}},
	} {
		if p.Module = m; p.cached() {
			t.Errorf("%+v is not in the module cache", m)
		}
	}
	if p.Module = (&mod{Path: "example.com/dep", Version: "v1.2.3", Dir: "/c", Replace: &struct{ Path, Version, Dir string }{Path: "example.com/fork", Version: "v1.0.0", Dir: "/c"}}); !p.cached() {
		t.Error("a fork that was downloaded is in the module cache")
	}
}

func TestBuildReplaces(t *testing.T) {
	dir := module(t, "vendored")
	before := snapshot(t, dir)
	spec := Spec{Package: ".", Dir: dir, Output: filepath.Join(t.TempDir(), "out")}
	spec.Replace = map[string][]byte{
		filepath.Join(dir, "main.go"): []byte("package main\n\nimport (\n\t\"fmt\"\n\t\"path/filepath\"\n\t\"runtime\"\n)\n\nfunc main() { added()\n" +
			"\t_, file, line, _ := runtime.Caller(0)\n\tfmt.Println(filepath.Base(file), line)\n}\n"),
		filepath.Join(dir, "zz_added.go"): []byte("package main\n\nfunc added() { println() }\n"),
	}
	if err := program(t.Context(), spec, sayHello()); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(spec.Output).Output()
	if err != nil || string(out) != "probe\nmain.go 10\n" {
		t.Errorf("it prints %q, %v", out, err)
	}
	spec.Replace[filepath.Join(dir, "zz_added.go")] = []byte("package main\n\nfunc added() { nothing() }\n")
	err = program(t.Context(), spec, sayHello())
	if err == nil || !strings.Contains(err.Error(), "without the sources that were replaced") || !strings.Contains(err.Error(), "undefined: nothing") || !strings.Contains(err.Error(), "zz_added.go:3") {
		t.Errorf("got %v", err)
	}
	if after := snapshot(t, dir); !maps.Equal(before, after) {
		t.Error("the sources changed")
	}
}
