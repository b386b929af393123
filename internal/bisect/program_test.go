package bisect

import (
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestACommentIsNoOtherProgram: a commit that changes nothing but words in the main package makes the same program; one that changes a
// constant does not.
func TestACommentIsNoOtherProgram(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go on PATH")
	}
	dir := t.TempDir()
	hash := func(name, comment string, cost int) string {
		t.Helper()
		source, out := filepath.Join(dir, "main.go"), filepath.Join(dir, name)
		text := fmt.Sprintf("package main\n\n// cost %s\nconst cost = %d\n\nfunc main() { println(cost) }\n", comment, cost)
		for file, text := range map[string]string{source: text, filepath.Join(dir, "go.mod"): "module example.org/shop\n\ngo 1.22\n"} {
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-o", out, ".")
		cmd.Dir = dir
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		sum, err := hashOf(out)
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	first, words, dearer := hash("first", "of a request", 1000), hash("words", "of one request", 1000), hash("dearer", "of a request", 1001)
	if first == dearer {
		t.Error("another constant is said to make the same program")
	}
	if _, err := elf.Open(filepath.Join(dir, "first")); err != nil {
		t.Skip("no ELF files here: IDs stay")
	}
	if first != words {
		t.Error("another comment is said to make another program")
	}
}
