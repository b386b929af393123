package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// The tests run in the source tree: it is found from any folder of it, and without
// a toolchain the error says what to install, and what works all the same.
func TestSourceTree(t *testing.T) {
	root, err := sourceTree(t.Context(), "place")
	if err != nil {
		t.Fatal(err)
	}
	if want, err := filepath.Abs("../.."); err != nil || root != want {
		t.Errorf("the tree is %s, want %s", root, want)
	}
	t.Setenv("PATH", t.TempDir())
	_, err = sourceTree(t.Context(), "place")
	if err == nil || !strings.Contains(err.Error(), "no Go toolchain here") || !strings.Contains(err.Error(), "demo place\n") {
		t.Errorf("without a toolchain: %v", err)
	}
}
