package probetest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestNumberedDirectories(t *testing.T) {
	base := filepath.Join(t.TempDir(), "base")
	t.Setenv(envDir, base)
	name := func() string {
		d, err := makeDir("", "a/b c")
		if err != nil {
			t.Fatal(err)
		}
		return filepath.Base(d.path)
	}
	for i, want := range []string{"a_b_c-001", "a_b_c-002"} {
		if got := name(); got != want {
			t.Errorf("run %d: %s, want %s", i, got, want)
		}
	}
	for _, other := range []string{"a_b_c-041", "a_b_c-x", "a_b_c-900-old", "z-077"} {
		if err := os.Mkdir(filepath.Join(base, other), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if got := name(); got != "a_b_c-042" {
		t.Errorf("after 041: %s", got)
	}
}

func TestDefaultDirectory(t *testing.T) {
	t.Setenv(envDir, "")
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Chdir(dir); err != nil {
		t.Fatal(err)
	}
	defer os.Chdir(here)
	for i := 0; i < 2; i++ {
		d, err := makeDir("", "x")
		if err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("x-%03d", i+1); filepath.Base(d.path) != want || !filepath.IsAbs(d.path) {
			t.Errorf("%s, want …/%s", d.path, want)
		}
	}
	if b, err := os.ReadFile("testdata/unpark/.gitignore"); err != nil || string(b) != "*\n" {
		t.Errorf(".gitignore: %q, %v", b, err)
	}
}

func TestFileName(t *testing.T) {
	for in, want := range map[string]string{
		"": "run", "..": "run", "../x": "_x", "Größe": "Gr__e", "a.b-c_D9": "a.b-c_D9", strings.Repeat("x", 200): strings.Repeat("x", 100),
	} {
		if got := fileName(in); got != want {
			t.Errorf("fileName(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestModulePath(t *testing.T) {
	for in, want := range map[string]string{
		"module example.com/x\n\ngo 1.22\n":       "example.com/x",
		"// module no\nmodule \"a/b\" // yes\r\n": "a/b",
		"go 1.22\n": "",
		"":          "",
	} {
		if got := modulePath(in); got != want {
			t.Errorf("modulePath(%q) = %q, want %q", in, got, want)
		}
	}
}
