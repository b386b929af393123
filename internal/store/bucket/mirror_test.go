package bucket

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestMirror(t *testing.T) {
	s := serve(t)
	st := s.store(t)
	for _, name := range []string{"r1", "r2"} {
		if _, err := st.Push(t.Context(), newRun(t, name, usualFiles)); err != nil {
			t.Fatal(err)
		}
	}
	m, err := st.Mirror()
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	if err := m.Sync(t.Context(), func(done, of int) { told = append(told, fmt.Sprint(done, "/", of)) }); err != nil {
		t.Fatal(err)
	}
	if len(told) != 2 {
		t.Errorf("told %v", told)
	}
	sameTree(t, map[string]string{"run.json": usualFiles["run.json"]}, filepath.Join(m.Root, "r2"))
	dir, err := m.Fetch(t.Context(), "r1", Profiles)
	if err != nil {
		t.Fatal(err)
	}
	some := map[string]string{}
	for name, text := range usualFiles {
		if Profiles.has(name) {
			some[name] = text
		}
	}
	sameTree(t, some, dir)
	before := s.gets.Load()
	if _, err := m.Fetch(t.Context(), "r1", Profiles); err != nil || s.gets.Load()-before > 1 { // the manifest
		t.Errorf("%d requests for what is there: %v", s.gets.Load()-before, err)
	}
	if dir, err = m.Fetch(t.Context(), "r1", All); err != nil {
		t.Fatal(err)
	}
	sameTree(t, usualFiles, dir)

	// Removed, and another pushed under its name.
	if err := st.Remove(t.Context(), "r1"); err != nil {
		t.Fatal(err)
	}
	if err := m.Sync(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(m.Root, "r1")); err == nil {
		t.Error("a run that is gone is still listed")
	}
	other := map[string]string{"run.json": "{}", "window-01/9/cpu.pb.gz": "x"}
	if _, err := st.Push(t.Context(), newRun(t, "r1", other)); err != nil {
		t.Fatal(err)
	}
	if dir, err = m.Fetch(t.Context(), "r1", All); err != nil {
		t.Fatal(err)
	}
	sameTree(t, other, dir)
}

func TestTrim(t *testing.T) {
	s := serve(t)
	st := s.store(t)
	m, err := st.Mirror()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"r1", "r2"} {
		if _, err := st.Push(t.Context(), newRun(t, name, usualFiles)); err != nil {
			t.Fatal(err)
		}
		if _, err := m.Fetch(t.Context(), name, All); err != nil {
			t.Fatal(err)
		}
	}
	m.trimmed = time.Time{}
	if err := m.trim("r2", 2_000_000); err != nil {
		t.Fatal(err)
	}
	sameTree(t, map[string]string{"run.json": usualFiles["run.json"]}, filepath.Join(m.Root, "r1"))
	sameTree(t, usualFiles, filepath.Join(m.Root, "r2"))
}

func TestThousandRuns(t *testing.T) {
	s := serve(t)
	st := s.store(t)
	dir := newRun(t, "r", map[string]string{"run.json": `{"schema":"unpark.run/v1"}`})
	_, man, err := survey(dir)
	if err != nil {
		t.Fatal(err)
	}
	const runs = 1000
	for i := range runs {
		man.Run = fmt.Sprintf("run-%04d", i)
		body, err := man.encode()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(body)
		if err != nil {
			t.Fatal(err)
		}
		s.put(t, "nightly/.unpark/"+man.Run+".json", string(text))
		s.put(t, "nightly/"+man.Run+"/run.json", `{"schema":"unpark.run/v1"}`)
	}
	s.put(t, "nightly/run-0000/run.json", "corrupt, and not as long as it was said to be")
	before := s.gets.Load()
	got, err := st.Runs(t.Context())
	if err != nil || len(got) != runs {
		t.Fatalf("%d runs: %v", len(got), err)
	}
	if n := s.gets.Load() - before; n > 2 {
		t.Errorf("%d requests list %d runs", n, runs)
	}
	m, err := st.Mirror()
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Sync(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "1 of 1000 runs") || !strings.Contains(err.Error(), "run-0000") {
		t.Errorf("a corrupt document costs its run: %v", err)
	}
	there, err := filepath.Glob(filepath.Join(m.Root, "run-*", "run.json"))
	if err != nil || len(there) != runs-1 {
		t.Errorf("%d documents: %v", len(there), err)
	}
}
