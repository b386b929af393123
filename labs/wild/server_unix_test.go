//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A server that cannot be built does not keep the others from it.
func TestBuildServers(t *testing.T) {
	dir := t.TempDir()
	script := "#!/bin/sh\n[ \"$2\" != broken ] || { echo no such package >&2; exit 1; }\nmkdir -p \"$3\" && echo x >\"$3/server\"\n"
	if err := os.WriteFile(filepath.Join(dir, "build.sh"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"broken", "sound"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf(`{"name": %q, "loads": [{"name": "get", "expert": {"limit": ["cpu"]}}]}`, name)
		if err := os.WriteFile(filepath.Join(dir, name, "server.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	all, err := servers(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	b := bench{bin: filepath.Join(dir, "bin")}
	if err := b.buildServers(t.Context(), all, &out); err == nil || !strings.Contains(err.Error(), "build broken: exit status 1: no such package") {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(filepath.Join(b.folder(all[1]), "server")); err != nil {
		t.Error(err)
	}
	if said := out.String(); !strings.Contains(said, "broken           not built") || !strings.Contains(said, "sound            built") {
		t.Errorf("said %q", said)
	}
}
