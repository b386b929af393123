package report

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/report/look"
)

// assets holds the templates of the pages; their style and scripts are in package look.
//
//go:embed assets
var assets embed.FS

// HTML writes the run as one file that opens without a network: verdict,
// findings, what else the CPU goes to, why the slowest requests wait, latency, timeline, processes and a flame graph for each of r.Flames.
// Its content security policy allows nothing but its own style and script.
// A server that has other pages beside it names links to them.
func HTML(w io.Writer, r unpark.Run, links ...look.Link) error {
	v, err := newView(r)
	if err != nil {
		return err
	}
	v.Links = links
	return execute(w, "report.html.tmpl", v)
}

// execute fills in one of the pages.
func execute(w io.Writer, page string, v any) error {
	t, err := template.ParseFS(assets, "assets/*.tmpl")
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	flame, err := look.Read("flame.html.tmpl")
	if err != nil {
		return err
	}
	if _, err := t.Parse(string(flame)); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	if err := t.ExecuteTemplate(w, page, v); err != nil {
		return fmt.Errorf("report: write HTML: %w", err)
	}
	return nil
}

// scriptNames are those of the page of a run.
func scriptNames() []string {
	return []string{"data.js", "base.js", "charts.js", "flame.js", "explorer.js"}
}

// inline reads the style and the joined scripts, and makes the policy that
// allows exactly these.
func inline(scripts []string) (style template.CSS, script template.JS, policy string, err error) {
	css, err := look.Read("report.css")
	if err != nil {
		return "", "", "", err
	}
	js := []byte("(() => {\n'use strict';\n")
	for _, name := range scripts {
		part, err := look.Read(name)
		if err != nil {
			return "", "", "", err
		}
		js = append(js, part...)
	}
	js = append(js, "})();\n"...)
	policy = fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; img-src data:; base-uri 'none'; form-action 'none'",
		digest(css), digest(js))
	return template.CSS(css), template.JS(js), policy, nil //nolint:gosec // our own files
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
