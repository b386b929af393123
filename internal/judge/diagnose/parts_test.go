package diagnose

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestParts: of answers that are made again, what is kept of a part of making them comes second; not of a part elsewhere, of a wait, or
// what only makes it cheaper.
func TestParts(t *testing.T) {
	site := func(functions string) []unpark.Site {
		var out []unpark.Site
		for f := range strings.FieldsSeq(functions) {
			out = append(out, unpark.Site{Function: f})
		}
		return out
	}
	part := func(class unpark.Class, path string) unpark.Finding {
		return unpark.Finding{Class: class, Path: site(path)}
	}
	for what, c := range map[string]struct {
		part unpark.Finding
		kind unpark.OfferKind
		want string
	}{
		"a part of it":       {part(unpark.ClassAlloc, "pdf.Parse main.note main.serve"), unpark.OfferKeep, "compress|Keep one pdf.Font for all requests, and call its methods for each: Parse makes it anew|cache"},
		"elsewhere":          {part(unpark.ClassAlloc, "pdf.Parse main.list main.serve"), unpark.OfferKeep, "compress|cache"},
		"a wait":             {part(unpark.ClassLock, "pdf.Parse main.note main.serve"), unpark.OfferKeep, "compress|cache"},
		"it is only cheaper": {part(unpark.ClassAlloc, "pdf.Parse main.note main.serve"), unpark.OfferFields, "compress|cache"},
	} {
		findings := []unpark.Finding{{Class: unpark.ClassRecompute, Site: unpark.Site{Function: "main.note"}, Remedies: []unpark.Remedy{{Title: "compress"}, {Title: "cache"}}}}
		Parts(findings, []unpark.Finding{c.part}, []unpark.Offer{{Kind: c.kind, Class: c.part.Class, At: "pdf.Parse", Package: "example.org/pdf", Name: "Parse", Type: "Font", On: true}})
		var titles []string
		for _, r := range findings[0].Remedies {
			titles = append(titles, r.Title)
		}
		if got := strings.Join(titles, "|"); got != c.want {
			t.Errorf("%s: %s, want %s", what, got, c.want)
		}
	}
}
