package build

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// sayHello stands for the probe: a package that acts in init.
func sayHello() map[string]string {
	return map[string]string{
		"agent.go": "package unparkagent\n\nimport \"fmt\"\n\nfunc hello() { fmt.Println(\"probe\") }\n",
		"init.go":  "package unparkagent\n\nfunc init() { hello() }\n",
	}
}

// module copies a module of testdata to where no go.work reaches.
func module(t *testing.T, name string) string {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
	dir := filepath.Join(t.TempDir(), name)
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", name))); err != nil {
		t.Fatal(err)
	}
	return dir
}

// snapshot tells every file below dir with its mode and content.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	m := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		m[name] = info.Mode().String() + info.ModTime().String()
		if d.Type().IsRegular() {
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			m[name] += fmt.Sprintf("%x", sha256.Sum256(text))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestBuildAddsTheProbe(t *testing.T) {
	for name, c := range map[string]struct{ module, dir, pkg, prints string }{
		"relative folder":   {"plain", ".", "./cmd/server", "plain"},
		"folder, no dot":    {"plain", ".", "cmd/server", "plain"},
		"import path":       {"plain", "lib", "example.com/plain/cmd/server", "plain"},
		"absolute":          {"plain", "/", "", "plain"},
		"root of module":    {"plain", ".", ".", ""},
		"vendored":          {"vendored", ".", ".", "vendored"},
		"vendored, by path": {"vendored", ".", "example.com/vendored", "vendored"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := module(t, c.module)
			before := snapshot(t, dir)
			b := Spec{Package: c.pkg, Dir: filepath.Join(dir, c.dir), Output: filepath.Join(t.TempDir(), "out")}
			if c.dir == "/" {
				b.Dir, b.Package = "", filepath.Join(dir, "cmd/server")
			}
			if err := program(t.Context(), b, sayHello()); err != nil {
				t.Fatal(err)
			}
			if after := snapshot(t, dir); !maps.Equal(before, after) {
				t.Errorf("the sources changed:\n%v\n%v", before, after)
			}
			out, err := exec.Command(b.Output, "x").Output()
			if want := strings.TrimSpace("probe\n" + c.prints); err != nil || strings.TrimSpace(string(out)) != want {
				t.Errorf("it prints %q, %v", out, err)
			}
		})
	}
}

func TestBuildErrors(t *testing.T) {
	for name, c := range map[string]struct {
		module, pkg string
		files       map[string]string
		want        []string
	}{
		"a library":         {"plain", "./lib", sayHello(), []string{"package lib, not a program", "such as example.com/plain", "example.com/plain/cmd/server"}},
		"does not compile":  {"plain", "./cmd/broken", sayHello(), []string{"does not compile", "by itself first", "undefinedOnPurpose", "main.go:3"}},
		"the probe neither": {"plain", "./cmd/server", map[string]string{"a.go": "package unparkagent\nvar x int = y\n"}, []string{"--pprof", "undefined: y"}},
		"several":           {"plain", "./cmd/...", sayHello(), []string{"names 2 packages"}},
		"no such":           {"plain", "./cmd/nothing", sayHello(), []string{"no such package", "check the name"}},
		"a file":            {"plain", "main.go", sayHello(), []string{"name its folder"}},
		"a flag":            {"plain", "-x", sayHello(), []string{"no such package"}},
		"folder taken":      {"taken", ".", sayHello(), []string{"internal/unparkagent exists", "rename it"}},
		"no sources":        {"plain", ".", nil, []string{"build unpark again"}},
		"nothing named":     {"plain", "", sayHello(), []string{"--pkg"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := module(t, c.module)
			before := snapshot(t, dir)
			err := program(t.Context(), Spec{Package: c.pkg, Dir: dir, Output: filepath.Join(t.TempDir(), "out")}, c.files)
			if err == nil {
				t.Fatal("it was built")
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q does not say %q", err, want)
				}
			}
			if after := snapshot(t, dir); !maps.Equal(before, after) {
				t.Error("the sources changed")
			}
		})
	}
}

func TestBuildOutsideOfAModule(t *testing.T) {
	dir := module(t, "plain")
	if err := os.Remove(filepath.Join(dir, "go.mod")); err != nil {
		t.Fatal(err)
	}
	for _, pkg := range []string{".", "main.go"} {
		err := program(t.Context(), Spec{Package: pkg, Dir: dir, Output: filepath.Join(t.TempDir(), "out")}, sayHello())
		if err == nil || !strings.Contains(err.Error(), "go mod init") {
			t.Errorf("%s: got %v", pkg, err)
		}
	}
}

func TestBuildWithoutGo(t *testing.T) {
	dir := module(t, "plain")
	t.Setenv("PATH", t.TempDir())
	err := program(t.Context(), Spec{Package: ".", Dir: dir, Output: "out"}, sayHello())
	if err == nil || !strings.Contains(err.Error(), "install Go") {
		t.Errorf("got %v", err)
	}
}

func TestBuildIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := program(ctx, Spec{Package: ".", Dir: module(t, "plain"), Output: "out"}, sayHello())
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
