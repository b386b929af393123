package web

import (
	"context"
	"errors"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// far is a store that has one run more each time it is asked.
type far struct {
	t       *testing.T
	root    string
	asked   int
	brought []string
	err     error
}

func (f *far) Sync(_ context.Context, tell func(done, of int)) error {
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
	s := serve(t, t.TempDir())
	f := &far{t: t, root: s.root}
	s.From("s3://perf/nightly", f)
	s.look(t.Context())
	s.look(t.Context()) // too early to ask again
	if status, body := s.get(t, "/api/runs"); status != http.StatusOK || !strings.Contains(body, "run-0000") || !strings.Contains(body, `"root":"s3://perf/nightly"`) || f.asked != 1 {
		t.Fatalf("asked %d times: %d %s", f.asked, status, body)
	}
	s.get(t, "/run/run-0000")
	s.get(t, "/slowest/run-0000")
	if want := []string{"run-0000", "run-0000 with traces"}; !slices.Equal(f.brought, want) {
		t.Errorf("brought %v", f.brought)
	}
	f.err = errors.New("the bucket is gone")
	s.synced = time.Time{}
	s.look(t.Context())
	if _, body := s.get(t, "/api/runs"); !strings.Contains(body, "the bucket is gone") || !strings.Contains(body, "run-0000") {
		t.Errorf("what was there is not shown, or not why: %s", body)
	}
	if status, body := s.get(t, "/run/run-0000"); status != http.StatusBadGateway || !strings.Contains(body, "the bucket is gone") {
		t.Errorf("%d %s", status, body)
	}
}
