package main

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/mod/modfile"
)

const root = "../.."

// What would keep a release from being installed is found long before one.
func TestModules(t *testing.T) {
	versions := map[string]string{} // of required modules, by their path
	for _, p := range parts {
		f, err := readMod(filepath.Join(root, p.dir, "go.mod"), p)
		if err != nil {
			t.Fatal(err)
		}
		// The go command takes the root's licence into the zip file of a module that
		// has none; then the sums here would be others.
		if _, err := os.Stat(filepath.Join(root, p.dir, "LICENSE")); err != nil {
			t.Error(err)
		}
		for _, r := range f.Require {
			// In the workspace the higher one is tested; users get the tool's own.
			if v, ok := versions[r.Mod.Path]; ok && v != r.Mod.Version {
				t.Errorf("%s asks for %s, another module for %s: `.ci/tidy %s@%s` with the higher one", p.path, r.Mod, v, r.Mod.Path, max(v, r.Mod.Version))
			}
			versions[r.Mod.Path] = r.Mod.Version
		}
	}
}

// The workspace serves the versions that the modules ask for, published or not.
func TestWorkspace(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "go.work"))
	if err != nil {
		t.Fatal(err)
	}
	work, err := modfile.ParseWork("go.work", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	served := map[string]bool{}
	for _, r := range work.Replace {
		served[r.Old.String()] = true
	}
	for _, p := range parts {
		f, err := readMod(filepath.Join(root, p.dir, "go.mod"), p)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range f.Require {
			if (r.Mod.Path == toolPath || r.Mod.Path == probePath) && !served[r.Mod.String()] {
				t.Errorf("%s asks for %s, which go.work does not replace", p.path, r.Mod)
			}
		}
	}
}
