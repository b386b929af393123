package bucket

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// An upload that is cut off is invisible, and goes on when it is repeated.
func TestInterrupted(t *testing.T) {
	s := serve(t)
	st := s.store(t)
	dir := newRun(t, "r1", usualFiles)
	ctx, cancel := context.WithCancel(t.Context())
	s.fail(func(r *http.Request) bool {
		if r.Method == http.MethodPut && strings.Contains(r.URL.Path, "/window-01/7/trace.out") {
			cancel()
			return true
		}
		return false
	})
	if _, err := st.Push(ctx, dir); err == nil {
		t.Fatal("an upload without its trace succeeded")
	}
	s.failing.Store(nil)
	runs, err := st.Runs(t.Context())
	if err != nil || len(runs) != 1 || !runs[0].Unfinished {
		t.Fatalf("runs: %+v, %v", runs, err)
	}
	if _, _, err := st.Pull(t.Context(), "r1", filepath.Join(t.TempDir(), "x")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what has no manifest was pulled: %v", err)
	}
	had := len(s.keys(t)) - 1 // without the draft; one that was under way may still arrive
	var sent atomic.Int64
	s.fail(func(r *http.Request) bool {
		if r.Method == http.MethodPut && !strings.HasSuffix(r.URL.Path, draftFile) && !strings.HasSuffix(r.URL.Path, "/r1"+manifestFile) {
			sent.Add(1)
		}
		return false
	})
	p, err := st.Push(t.Context(), dir)
	if err != nil || p.Resumed < had || p.Resumed+int(sent.Load()) != len(usualFiles) {
		t.Fatalf("went on with %d of %d that were there, sent %d of %d: %v", p.Resumed, had, sent.Load(), len(usualFiles), err)
	}
	into := filepath.Join(t.TempDir(), "back")
	if _, _, err := st.Pull(t.Context(), "r1", into); err != nil {
		t.Fatal(err)
	}
	sameTree(t, usualFiles, into)
	for _, k := range s.keys(t) {
		if strings.HasSuffix(k, draftFile) {
			t.Errorf("%s is left", k)
		}
	}
}
