package web

import (
	"context"
	"errors"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// far is a store that has one run more each time it is asked.
type far struct {
	t    *testing.T
	root string

	mu      sync.Mutex
	asked   int
	brought []string
	err     error
}

func (f *far) Sync(_ context.Context, tell func(done, of int)) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil {
		return f.err
	}
	run := sample(f.asked, 1)
	save(f.t, filepath.Join(f.root, run.ID), run)
	f.asked++
	tell(1, 1)
	return nil
}

func (f *far) Bring(_ context.Context, path string, traces bool) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil {
		return f.err
	}
	if traces {
		path += " with traces"
	}
	f.brought = append(f.brought, path)
	return nil
}

// The documents of a store are brought before its list, and files of a run when a page is opened that reads them.
func TestRemote(t *testing.T) {
	root := t.TempDir()
	f := &far{t: t, root: root}
	s := serve(t, root, func(s *Server) { s.From("s3://perf/nightly", f) })
	for until := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if _, body := s.get(t, "/api/runs"); strings.Contains(body, "run-0000") && strings.Contains(body, `"root":"s3://perf/nightly"`) {
			break
		} else if time.Now().After(until) {
			t.Fatalf("the run of the store is not listed: %s", body)
		}
	}
	s.look(t.Context()) // too early to ask again
	f.mu.Lock()
	asked := f.asked
	f.mu.Unlock()
	if asked != 1 {
		t.Errorf("asked %d times", asked)
	}
	s.get(t, "/run/run-0000")
	s.get(t, "/slowest/run-0000")
	f.mu.Lock()
	if want := []string{"run-0000", "run-0000 with traces"}; !slices.Equal(f.brought, want) {
		t.Errorf("brought %v", f.brought)
	}
	f.err = errors.New("the bucket is gone")
	f.mu.Unlock()
	s.mu.Lock()
	s.synced = time.Time{}
	s.mu.Unlock()
	s.look(t.Context())
	if _, body := s.get(t, "/api/runs"); !strings.Contains(body, "the bucket is gone") || !strings.Contains(body, "run-0000") {
		t.Errorf("what was there is not shown, or not why: %s", body)
	}
	if status, body := s.get(t, "/run/run-0000"); status != http.StatusBadGateway || !strings.Contains(body, "the bucket is gone") {
		t.Errorf("%d %s", status, body)
	}
}
