package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
)

const root = "../.."

// What would keep a release from being installed is found long before one.
func TestModules(t *testing.T) {
	for _, p := range parts {
		// The go command takes the root's licence into the zip file of a module that
		// has none; then the sums here would be others.
		if _, err := os.Stat(filepath.Join(root, p.dir, "LICENSE")); err != nil {
			t.Error(err)
		}
		if _, err := readMod(filepath.Join(root, p.dir, "go.mod"), p); err != nil {
			t.Error(err)
		}
	}
}

// In the workspace the highest version that a module asks for is built and tested;
// go install takes what the tool asks for itself. They are the same.
func TestTestedIsReleased(t *testing.T) {
	f, err := readMod(filepath.Join(root, "go.mod"), parts[1])
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"list", "-m", "-f", "{{.Path}}@{{.Version}}"}
	var released []string
	for _, r := range f.Require {
		if r.Mod.Path != probePath {
			args = append(args, r.Mod.Path)
			released = append(released, r.Mod.String())
		}
	}
	cmd := exec.Command("go", args...)
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for i, tested := range strings.Fields(string(out)) {
		if tested != released[i] {
			t.Errorf("%s is tested, and %s would be released: run `.ci/tidy %s`", tested, released[i], tested)
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
