package web

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"path"

	"github.com/unpark-go/unpark/internal/report/look"
)

//go:embed assets
var assets embed.FS

// refusal is an error that is the asker's, with its status.
type refusal struct {
	status int
	err    error
}

func (r refusal) Error() string { return r.err.Error() }
func (r refusal) Unwrap() error { return r.err }

func statusOf(err error) int {
	var r refusal
	if errors.As(err, &r) {
		return r.status
	}
	return http.StatusInternalServerError
}

// answer sends what a function returns as JSON.
func answer(of func(*http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		what, err := of(r)
		status := http.StatusOK
		if err != nil {
			status, what = statusOf(err), map[string]string{"error": err.Error()}
		}
		var text bytes.Buffer
		if err := json.NewEncoder(&text).Encode(what); err != nil {
			fail(w, http.StatusInternalServerError, err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = w.Write(text.Bytes()) // a page that is gone needs no answer
	}
}

// page sends what a function writes as a page. One of package report says its own policy.
func page(of func(*bytes.Buffer, *http.Request) error, policy string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var text bytes.Buffer
		if err := of(&text, r); err != nil {
			fail(w, statusOf(err), err)
			return
		}
		h := w.Header()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Security-Policy", policy)
		_, _ = w.Write(text.Bytes())
	}
}

// fail shows an error as a page.
func fail(w http.ResponseWriter, status int, err error) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_ = render(w, "error.html.tmpl", err.Error())
}

// render fills in one of the server's own pages, which have no script or style but those under /assets.
func render(w interface{ Write([]byte) (int, error) }, name string, v any) error {
	t, err := template.ParseFS(assets, "assets/*.tmpl")
	if err != nil {
		return fmt.Errorf("web: %w", err)
	}
	head, err := look.Read("head.html.tmpl")
	if err != nil {
		return err
	}
	if _, err := t.Parse(string(head)); err != nil {
		return fmt.Errorf("web: %w", err)
	}
	return t.ExecuteTemplate(w, name, v)
}

func home(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	http.ServeFileFS(w, r, assets, "assets/home.html")
}

// explorer is the flame graph of package look as a module, for graphs that are not in the page.
func explorer() ([]byte, error) {
	text := []byte("import { digits, figure, percent, largest, make, onResize } from './base.js';\nconst report = { requests: 0 };\n")
	for _, name := range []string{"flame.js", "explorer.js"} {
		part, err := look.Read(name)
		if err != nil {
			return nil, err
		}
		text = append(text, part...)
	}
	return append(text, "\nexport { open };\n"...), nil
}

// asset sends a file of the pages. Those of package look are plain scripts, of which a module takes the functions.
func asset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	var text []byte
	var err error
	switch name {
	case "report.css":
		text, err = look.Read(name)
	case "base.js":
		text, err = look.Read(name)
		text = append(text, "\nexport { digits, figure, percent, largest, lowest, make, svg, onResize };\n"...)
	case "explorer.js":
		text, err = explorer()
	default:
		text, err = assets.ReadFile("assets/" + name)
	}
	kind, ok := map[string]string{".css": "text/css", ".js": "text/javascript"}[path.Ext(name)]
	if err != nil || !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", kind+"; charset=utf-8")
	_, _ = w.Write(text)
}
