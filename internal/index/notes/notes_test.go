package notes

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestNotes(t *testing.T) {
	root := t.TempDir()
	n := &Notes{Root: root}
	if all, err := n.All(); err != nil || len(all) != 0 {
		t.Errorf("%v, %v", all, err)
	}
	if err := n.Set("a", Note{Tags: []string{" release  1 ", "", "release 1", "slow"}, Text: " why <b> \n"}); err != nil {
		t.Fatal(err)
	}
	if err := (&Notes{Root: root}).Set("b", Note{Text: "x"}); err != nil { // as another process would
		t.Fatal(err)
	}
	all, err := n.All()
	if a := all["a"]; err != nil || strings.Join(a.Tags, ",") != "release 1,slow" || a.Text != "why <b>" || all["b"].Text != "x" {
		t.Errorf("%+v, %v", all, err)
	}
	if err := n.Set("b", Note{}); err != nil {
		t.Fatal(err)
	}
	if all, _ := n.All(); len(all) != 1 {
		t.Errorf("an empty note stays: %v", all)
	}
	info, err := os.Stat(filepath.Join(root, file))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if left, _ := filepath.Glob(filepath.Join(root, ".notes-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	for _, bad := range []Note{{Text: strings.Repeat("x", longestNote+1)}, {Tags: []string{strings.Repeat("x", longestTag+1)}}, {Tags: strings.Fields(strings.Repeat("a b c d e f g ", 1) + "h i j k l m n o p q r s t u v")}} {
		if err := n.Set("a", bad); err == nil || !strings.Contains(err.Error(), "write the note of a") {
			t.Errorf("%v", err)
		}
	}
}

// The words of a user are never written over because they cannot be read.
func TestBrokenNotes(t *testing.T) {
	for _, text := range []string{"{", `{"schema":"unpark.notes/v2","notes":{}}`, ""} {
		root := t.TempDir()
		name := filepath.Join(root, file)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		n := &Notes{Root: root}
		if _, err := n.All(); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("%q: %v", text, err)
		}
		if err := n.Set("a", Note{Text: "x"}); err == nil {
			t.Errorf("%q is overwritten", text)
		}
		if got, _ := os.ReadFile(name); string(got) != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}
