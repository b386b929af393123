// A release page: it renders the changelog of a project, with an anchor for each heading.
package main

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/parser"

	"wild/service"
)

func main() {
	md := goldmark.New(goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	source := changelog(180)

	mux := http.NewServeMux()
	mux.HandleFunc("/changelog", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if err := md.Convert(source, w); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	service.Run(mux)
}

// changelog is written as https://keepachangelog.com proposes: the same headings for every release.
func changelog(releases int) []byte {
	var b strings.Builder
	b.WriteString("# Changelog\n\n")
	for i := releases; i > 0; i-- {
		fmt.Fprintf(&b, "## 1.%d.0\n\n", i)
		for _, kind := range []string{"Added", "Changed", "Fixed"} {
			fmt.Fprintf(&b, "### %s\n\n- Something that **matters** to users of release %d.\n\n", kind, i)
		}
	}
	return []byte(b.String())
}
