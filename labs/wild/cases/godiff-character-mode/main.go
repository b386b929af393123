// The history of a wiki: a request compares two revisions of a page. Most pages are
// small; a few are long, and much was changed on them.
package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"net/http"
	"strings"

	"github.com/sergi/go-diff/diffmatchpatch"

	"wild/service"
)

type page struct{ old, new string }

func main() {
	byLine := service.After()
	pages := map[string]page{"note": revise(6, 1), "article": revise(12, 2), "manual": revise(280, 50)}
	http.HandleFunc("GET /pages/{name}/diff", func(w http.ResponseWriter, r *http.Request) {
		p, ok := pages[r.PathValue("name")]
		if !ok {
			http.NotFound(w, r)
			return
		}
		var added, deleted int
		for _, d := range diffmatchpatch.New().DiffMain(p.old, p.new, byLine) {
			switch d.Type {
			case diffmatchpatch.DiffInsert:
				added += len(d.Text)
			case diffmatchpatch.DiffDelete:
				deleted += len(d.Text)
			}
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]int{"added": added, "deleted": deleted})
	})
	service.Run(http.DefaultServeMux)
}

// revise writes a page of lines and its next revision, in which some lines were rewritten.
func revise(lines, changed int) page {
	words := strings.Fields("the pump is to be stopped before a valve closes and when its oil was changed twice a year by hand")
	rng := rand.New(rand.NewSource(int64(lines)))
	line := func(n int) string {
		var b strings.Builder
		fmt.Fprintf(&b, "%d.", n)
		for range 9 {
			b.WriteString(" " + words[rng.Intn(len(words))])
		}
		return b.String() + "\n"
	}
	var was, is []string
	for n := range lines {
		was = append(was, line(n))
	}
	is = append(is, was...)
	for range changed {
		n := rng.Intn(lines)
		is[n] = line(n)
	}
	return page{strings.Join(was, ""), strings.Join(is, "")}
}
