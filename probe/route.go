package probe

import (
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
)

const (
	maxRoutes  = 64 // more would be paths taken for routes
	maxSegment = 64 // bytes
)

// routes bounds the names that are made from paths.
type routes struct {
	known sync.Map // name → true

	mu sync.Mutex // held to add
	n  atomic.Int32
}

// limited returns name if it is among the first maxRoutes names seen, "other" if
// not. A name that is known, and one too many, take no lock: it would show up in
// the very profile that the names are for.
func (s *routes) limited(name string) string {
	if _, ok := s.known.Load(name); ok {
		return name
	}
	if s.n.Load() >= maxRoutes {
		return "other"
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.known.Load(name); ok {
		return name
	}
	if s.n.Load() >= maxRoutes {
		return "other"
	}
	s.known.Store(name, true)
	s.n.Add(1)
	return name
}

// method returns the request's method if it is one that HTTP defines: a client
// may send any word.
func method(r *http.Request) string {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete, http.MethodConnect, http.MethodOptions, http.MethodTrace:
		return r.Method
	}
	return "METHOD"
}

// segment returns the path's first segment, "N" for a number and "…" for one that
// is too long to be a name.
func segment(path string) string {
	first := strings.TrimPrefix(path, "/")
	if i := strings.IndexByte(first, '/'); i >= 0 {
		first = first[:i]
	}
	switch {
	case first == "":
		return ""
	case len(first) > maxSegment:
		return "…"
	case strings.Trim(first, "0123456789") == "":
		return "N"
	}
	return strings.ToValidUTF8(first, "?")
}

// hasMethod reports whether a pattern of the form "[METHOD ][HOST]/[PATH]" names
// a method.
func hasMethod(pattern string) bool { return strings.ContainsAny(pattern, " \t") }
