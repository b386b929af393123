package main

import (
	"encoding/json"
	"go/build"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/unpark-go/unpark/internal/rota"
)

// TestPortable runs, on Linux, the sources that macOS gets: what works there is
// tried and what does not is said in words, without a Mac.
func TestPortable(t *testing.T) {
	t.Parallel()
	if !rota.Long(1, 2) {
		t.Skip("builds unpark anew, every other day")
	}
	if runtime.GOOS != "linux" {
		t.Skip("the other tests run these sources here")
	}
	dir := t.TempDir()
	binary := filepath.Join(dir, "unpark")
	out, err := exec.Command("go", "build", "-buildvcs=false", "-overlay", portable(t, dir), "-o", binary, ".").CombinedOutput()
	if err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "portable"),
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("PORTABLE", binary)
			e.Setenv("HOME", e.WorkDir)
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				return err
			}
			e.Setenv("FREE", l.Addr().String())
			return l.Close()
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "address": address},
	})
}

var constraint = regexp.MustCompile(`(?m)^//go:build .*$`)

// portable writes an overlay for the go command that has, of this module's files,
// those for macOS and not those for Linux.
func portable(t *testing.T, dir string) string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	here, there := build.Default, build.Default
	there.GOOS = "darwin"
	replace := map[string]string{}
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "labs" || strings.HasPrefix(d.Name(), ".")) {
			return fs.SkipDir
		}
		if filepath.Ext(name) != ".go" {
			return nil
		}
		folder, base := filepath.Split(name)
		on, err := here.MatchFile(folder, base)
		if err != nil {
			return err
		}
		off, err := there.MatchFile(folder, base)
		switch {
		case err != nil || on == off:
			return err
		case on:
			replace[name] = ""
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		// The name must not hold the constraint either.
		as := filepath.Join(folder, "portable_"+strings.NewReplacer("_unix.go", ".go", "_darwin.go", ".go").Replace(base))
		replace[as] = filepath.Join(dir, strings.ReplaceAll(strings.TrimPrefix(as, root), string(filepath.Separator), "-"))
		return os.WriteFile(replace[as], constraint.ReplaceAll(text, nil), 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(replace) < 20 {
		t.Fatalf("%d files differ: %v: that cannot be all", len(replace), replace)
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}
