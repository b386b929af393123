package web

import (
	"bufio"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark/internal/store"
)

func TestUnderWay(t *testing.T) {
	root := filepath.Join(t.TempDir(), "a[1]*")
	old := filepath.Join(root, "old.partial", store.LiveFile)
	for _, name := range []string{filepath.Join(root, "a.partial", store.LiveFile), filepath.Join(root, "shop", "b.partial", store.LiveFile), filepath.Join(root, "whole", store.LiveFile), old} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("{}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chtimes(old, time.Time{}, time.Now().Add(-2*silent)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"proof/rounds.jsonl", "proof/" + store.LiveFile, "proven/rounds.jsonl", "proven/" + store.LiveFile, "proven/ab.json", "silent/rounds.jsonl",
		"judged.partial/run.json", "judged.partial/" + store.LiveFile, "run/run.json", "run/window-01.partial/" + store.LiveFile,
	} {
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("{}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := underWay(root); !slices.Equal(got, []string{"a.partial", "judged.partial", "shop/b.partial", "proof"}) {
		t.Errorf("under way: %v", got)
	}
	if got := underWay(filepath.Join(root, "nowhere")); got == nil || len(got) > 0 {
		t.Errorf("of no folder: %v", got)
	}
}

// A page is told every line once, also one that was written in two parts, and the end.
func TestLive(t *testing.T) {
	root := t.TempDir()
	dir, err := store.Create(filepath.Join(root, "run"))
	if err != nil {
		t.Fatal(err)
	}
	w, err := dir.Create(store.LiveFile)
	if err != nil {
		t.Fatal(err)
	}
	write := func(text string) {
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	write(`{"phase":"build","detail":"` + "\u202e" + `x"}` + "\nno line\n" + `{"phase":"win`)
	s := serve(t, root)
	r, err := s.client.Get(s.url + "/api/live/run.partial")
	if err != nil || r.StatusCode != http.StatusOK {
		t.Fatal(r, err)
	}
	defer r.Body.Close()
	var events []string
	for lines := bufio.NewScanner(r.Body); lines.Scan(); {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		events = append(events, data)
		switch len(events) {
		case 1:
			write(`dow","rps":900}` + "\n")
		case 2:
			if _, err := dir.Commit(sample(1, 1)); err != nil {
				t.Fatal(err)
			}
		}
	}
	got := strings.Join(events, "\n")
	if len(events) != 3 || !strings.Contains(events[0], `"build"`) || strings.Contains(got, "\u202e") || !strings.Contains(events[1], `"phase":"window"`) || events[2] != `{"kept":true}` {
		t.Errorf("events\n%s", got)
	}
	w.Close()
	for path, want := range map[string]string{"/api/live/nothing": `{"kept":false}`, "/api/live/..%2f..%2fetc": "no run has such a name", "/live/run": "live.js"} {
		if _, text := s.get(t, path); !strings.Contains(text, want) {
			t.Errorf("%s: %s", path, text)
		}
	}
}

// An experiment is followed where it is, until it has its document.
func TestLiveExperiment(t *testing.T) {
	root := t.TempDir()
	at := filepath.Join(root, "proof")
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(at, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(at, 0o700); err != nil {
		t.Fatal(err)
	}
	write(roundsFile, "")
	write(store.LiveFile, `{"phase":"round 1 before window","rps":900}`+"\n")
	s := serve(t, root)
	r, err := s.client.Get(s.url + "/api/live/proof")
	if err != nil || r.StatusCode != http.StatusOK {
		t.Fatal(r, err)
	}
	defer r.Body.Close()
	var events []string
	for lines := bufio.NewScanner(r.Body); lines.Scan(); {
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			events = append(events, data)
			write(abFile, "{}")
		}
	}
	if got := strings.Join(events, "\n"); len(events) != 2 || !strings.Contains(events[0], "round 1 before window") || events[1] != `{"kept":true,"page":"/experiment/proof"}` {
		t.Errorf("events\n%s", got)
	}
}
