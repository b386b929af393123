package web

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/unpark-go/unpark/internal/index"
)

// Remote is where the runs of a folder come from, when it is the mirror of a store.
type Remote interface {
	// Sync brings the documents of all runs; tell is called with how many of how many that have to be brought.
	Sync(ctx context.Context, tell func(done, of int)) error
	// Bring brings the files of the run or experiment at a path of the folder, with or without execution traces.
	Bring(ctx context.Context, path string, traces bool) error
}

// From says where the runs come from, and what that is called. It is called before Serve.
func (s *Server) From(name string, r Remote) { *s.pages.from = source{r, name} }

// source is where runs come from, and its name. Without one the folder is all there is.
type source struct {
	Remote
	name string
}

// sync brings what is new in the store.
func (s *Server) sync(ctx context.Context) error {
	if s.pages.from.Remote == nil {
		return nil
	}
	s.mu.Lock()
	early := time.Since(s.synced) < asking
	was := s.missing
	s.mu.Unlock()
	if early {
		return was
	}
	err := s.pages.from.Sync(ctx, func(done, of int) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.reading = progress{done, of}
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.synced, s.missing = time.Now(), err
	return err
}

// bring brings what the page of a row reads.
func (s pages) bring(r *http.Request, row index.Row) error {
	if s.from.Remote == nil || r.Method != http.MethodGet {
		return nil
	}
	traces := strings.HasPrefix(r.URL.Path, "/slowest/") || strings.HasPrefix(r.URL.Path, "/api/heat/")
	if err := s.from.Bring(r.Context(), row.Path, traces); err != nil {
		return refusal{http.StatusBadGateway, err}
	}
	return nil
}
