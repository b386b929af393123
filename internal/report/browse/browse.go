// Package browse writes the pages that unpark ui alone has: several runs side by side, the slowest requests of a trace one by one, and
// what requests did at each moment of it. What a run, a comparison and their flame graphs look like is package report's. Begin at
// [Several] and [Slowest].
//
// Pages take their style and scripts from addresses of the server, under /assets. What comes in is plain text of anywhere; the
// templates escape it.
package browse

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/report/look"
)

//go:embed *.tmpl
var files embed.FS

// render fills in a page.
func render(w io.Writer, name string, v any) error {
	t, err := template.ParseFS(files, "*.tmpl")
	if err != nil {
		return fmt.Errorf("browse: %w", err)
	}
	for _, part := range []string{"head.html.tmpl", "flame.html.tmpl"} {
		text, err := look.Read(part)
		if err != nil {
			return err
		}
		if _, err := t.Parse(string(text)); err != nil {
			return fmt.Errorf("browse: %s: %w", part, err)
		}
	}
	return t.ExecuteTemplate(w, name, v)
}

// siteText is a function without the import path, and its line.
func siteText(s unpark.Site) string {
	if s.IsZero() {
		return ""
	}
	name := escape.Line(s.Function)
	return strings.TrimSpace(name[strings.LastIndexByte(name, '/')+1:] + " " + escape.Line(s.Place()))
}
