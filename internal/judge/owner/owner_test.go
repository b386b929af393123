package owner

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// grown is a tree of stacks, one a line: functions from the server inwards, and what they
// cost. Those of package main are the application's.
func grown(text string) facts.Tree {
	var t facts.Tree
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) < 2 {
			continue
		}
		var value float64
		fmt.Sscan(words[len(words)-1], &value)
		t.Total += value
		nodes, caller := &t.Roots, (*facts.Node)(nil)
		for _, f := range words[:len(words)-1] {
			i := slices.IndexFunc(*nodes, func(n *facts.Node) bool { return n.Site.Function == f })
			if i < 0 {
				i = len(*nodes)
				*nodes = append(*nodes, &facts.Node{Site: unpark.Site{Function: f}, App: strings.HasPrefix(f, "main."), Caller: caller})
			}
			caller = (*nodes)[i]
			caller.Value += value
			nodes = &caller.Calls
		}
	}
	return t
}

// TestOwners: the function that owns a cost, the application's line on the way to it, and
// its share; with parts, as for CPU, and without, as for bytes.
func TestOwners(t *testing.T) {
	for _, c := range []struct {
		name, tree   string
		least        float64
		parts, bytes string
	}{
		{
			"below two libraries", `
			main.h prom.Write gzip.Write flate.NewWriter 80
			main.h prom.Write json.Encode 10
			main.h 10`, 0.3,
			"flate.NewWriter in main.h 0.80", "flate.NewWriter in main.h 0.80",
		},
		{
			"it forks inside of the library", `
			main.h tags.Tagged tags.copy 45
			main.h tags.Tagged tags.key 45
			main.h 10`, 0.3,
			"tags.Tagged in main.h 0.90", "tags.Tagged in main.h 0.90",
		},
		{
			"reached by two ways", `
			main.a one.Do zip.New 40
			main.b two.Do zip.New 40
			main.b 20`, 0.3,
			"zip.New in main.a 0.80", "zip.New in main.a 0.80",
		},
		{
			"the handler calls two libraries", `
			main.h json.Marshal 45
			main.h sql.Query 40
			main.h 15`, 0.3,
			"json.Marshal in main.h 0.45, sql.Query in main.h 0.40", "main.h in main.h 1.00",
		},
		{"a flat profile", `
			main.h main.a 20
			main.h main.b 20
			main.h main.c 20
			main.h main.d 20
			main.h main.e 20`, 0.3, "", ""},
		{
			"a part of a request that forks into libraries", `
			main.h main.each sql.Next 35
			main.h main.each sql.Scan 35
			main.h main.other 30`, 0.3,
			"main.each in main.each 0.70, main.other in main.other 0.30", "main.each in main.each 0.70, main.other in main.other 0.30",
		},
		{
			"a part of a request that forks into the application's own functions", `
			main.h main.each main.a 25
			main.h main.each main.b 25
			main.h main.each main.c 25
			main.h 25`, 0.3,
			"main.each in main.each 0.75", "main.each in main.each 0.75",
		},
		{
			"a library that calls back", `
			main.h sort.Slice main.less 60
			main.h sort.Slice 30
			main.h 10`, 0.3,
			"main.less in main.less 0.60, sort.Slice in main.h 0.30", "main.less in main.less 0.60, sort.Slice in main.h 0.30",
		},
		{
			"each fork leaves a part behind", `
			main.h q.Get sort.Sort sort.less 40
			main.h q.Get sort.Sort 25
			main.h q.Get 30
			main.h 5`, 0.3,
			"sort.Sort in main.h 0.65, q.Get in main.h 0.30", "sort.Sort in main.h 0.65, q.Get in main.h 0.30",
		},
		{
			"no line of the application", `
			prom.Serve gzip.Write flate.NewWriter 90
			prom.Serve 10`, 0.3,
			"flate.NewWriter in prom.Serve 0.90", "flate.NewWriter in prom.Serve 0.90",
		},
		{
			"it calls itself", `
			main.h json.walk json.walk json.walk 90
			main.h 10`, 0.3,
			"json.walk in main.h 0.90", "json.walk in main.h 0.90",
		},
	} {
		tree := grown(c.tree)
		for want, parts := range map[string]bool{c.parts: true, c.bytes: false} {
			if c.parts == c.bytes {
				want = c.bytes
			}
			var got []string
			for _, o := range Find(tree, c.least, parts) {
				got = append(got, fmt.Sprintf("%s in %s %.2f", o.Culprit.Function, o.Site.Function, o.Value/tree.Total))
			}
			if is := strings.Join(got, ", "); is != want {
				t.Errorf("%s, parts %v:\n is   %s\n want %s", c.name, parts, is, want)
			}
		}
	}
}

// TestOwnersHaveTheirOwn: no two owners have the same cost, whatever the tree.
func TestOwnersHaveTheirOwn(t *testing.T) {
	names := []string{"main.a", "main.b", "lib.c", "lib.d", "main.e", "lib.f"}
	seed := uint64(1)
	next := func(n int) int {
		seed = seed*6364136223846793005 + 1442695040888963407
		return int(seed>>33) % n
	}
	for range 2000 {
		var text strings.Builder
		for range 1 + next(12) {
			for range 1 + next(5) {
				text.WriteString(names[next(len(names))] + " ")
			}
			fmt.Fprintf(&text, "%d\n", 1+next(50))
		}
		tree := grown(text.String())
		for _, parts := range []bool{true, false} {
			var sum float64
			for _, o := range Find(tree, 0.1, parts) {
				sum += o.Value
				if o.Value <= 0 || math.IsNaN(o.Value) {
					t.Fatalf("%+v of\n%s", o, text.String())
				}
			}
			if sum > tree.Total*1.001 {
				t.Fatalf("parts %v: owners have %.1f of %.1f of\n%s", parts, sum, tree.Total, text.String())
			}
		}
	}
}
