// Package look is how pages look: the style, and the scripts for figures, charts and flame graphs, which the pages of package report
// and those of unpark ui share. Begin at [Read].
//
// base.js prints figures as package units does, and makes elements; charts.js, dots.js, flame.js and explorer.js draw what
// data.js finds in the page; flame.html.tmpl is the place of a flame graph, head.html.tmpl
// the head of a page that a server has.
package look

import (
	"embed"
	"fmt"
)

//go:embed *.css *.js *.tmpl
var files embed.FS

// Read returns one of the files: report.css, base.js, …
func Read(name string) ([]byte, error) {
	text, err := files.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("look: %w", err)
	}
	return text, nil
}

// Link is a page beside one, where a server has both.
type Link struct{ Text, Href string }
