package web

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/index"
	"github.com/unpark-go/unpark/internal/index/notes"
)

// listAnswer is the list of runs, for the first page.
type listAnswer struct {
	Root     string                `json:"root"`
	Version  string                `json:"version"`
	All      int                   `json:"all"` // rows that there are, of which some may have been asked for
	Rows     []json.RawMessage     `json:"rows"`
	Notes    map[string]notes.Note `json:"notes"`
	Services []index.Service       `json:"services"`
	Notices  []unpark.Notice       `json:"notices"`
	Live     []string              `json:"live"`              // paths of runs that are under way
	Reading  *progress             `json:"reading,omitempty"` // documents are being read: the list is not whole
}

// list answers which runs there are.
func (s *Server) list(r *http.Request) (any, error) {
	q := index.Query{Function: r.URL.Query().Get("function")}
	out := listAnswer{Root: escape.Line(cmp.Or(s.pages.from.name, s.index.Root())), Version: s.version.Version, Notices: s.index.Notices()}
	var err error
	if out.Rows, err = s.index.List(r.Context(), q); err != nil {
		return nil, err
	}
	if out.Services, err = s.index.Services(r.Context()); err != nil {
		return nil, err
	}
	out.All = len(out.Rows)
	if q.Function != "" {
		if out.All, err = s.index.Count(r.Context()); err != nil {
			return nil, err
		}
	}
	if out.Notes, err = s.notes.All(); err != nil {
		out.Notices = append(out.Notices, unpark.Notice{Code: "notes-unreadable", Message: err.Error(), Cure: "until then no note is written"})
	}
	out.Live = underWay(s.index.Root())
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.reading.Of > s.reading.Done {
		now := s.reading
		out.Reading = &now
	}
	if s.trouble != "" {
		out.Notices = append(out.Notices, unpark.Notice{Code: "folder", Message: s.trouble, Cure: "the list is what was there before"})
	}
	return out, nil
}

// setNote writes the note of one run.
func (s *Server) setNote(r *http.Request) (any, error) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return nil, refusal{http.StatusUnsupportedMediaType, errors.New("write a note: it is sent as application/json")}
	}
	var ask struct {
		Path string     `json:"path"`
		Note notes.Note `json:"note"`
	}
	if err := json.NewDecoder(io.LimitReader(r.Body, largestAsk)).Decode(&ask); err != nil {
		return nil, refusal{http.StatusBadRequest, fmt.Errorf("write a note: %w: it has a path and a note, of at most %d kB", err, largestAsk>>10)}
	}
	if _, err := s.pages.row(r, ask.Path); err != nil {
		return nil, err
	}
	if err := s.notes.Set(ask.Path, ask.Note); err != nil {
		return nil, refusal{http.StatusConflict, err}
	}
	s.bell.ring()
	return struct{}{}, nil
}
