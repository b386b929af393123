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
		{
			"several functions call one library", `
			main.h main.a zap.Info zap.write 12
			main.h main.b zap.Warn zap.write 13
			main.h main.c zap.Info 10
			main.h main.c main.d 5
			main.h main.e 20
			main.h main.f 20
			main.h main.g 20`, 0.3, "zap.Info in main.a 0.35", "zap.Info in main.a 0.35",
		},
		{
			"several functions call one library, for less than is worth a name", `
			main.h main.a zap.Info 12
			main.h main.b zap.Warn 13
			main.h main.d 25
			main.h main.e 25
			main.h main.f 25`, 0.3, "", "",
		},
		{
			"a library around functions of the application", `
			main.a mux.Next main.b mux.Next main.c 20
			main.a mux.Next main.b mux.Next main.d 20
			main.a mux.Next main.b mux.Next main.e 20
			main.a mux.Next main.b mux.Next main.f 20
			main.a mux.Next main.b mux.Next 10
			main.a mux.Next 10`, 0.3, "", "",
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
			"sql.Next in main.each 0.70, main.other in main.other 0.30", "sql.Next in main.each 0.70, main.other in main.other 0.30",
		},
		{
			"a part of a request that forks into libraries that have nothing to do with each other", `
			main.h main.each sql.Next 35
			main.h main.each json.Marshal 35
			main.h main.other 30`, 0.3,
			"main.each in main.each 0.70, main.other in main.other 0.30", "main.each in main.each 0.70, main.other in main.other 0.30",
		},
		{
			"a part of a request that forks within Go's own packages", `
			main.h main.each strings.Split 35
			main.h main.each strings.Join 35
			main.h main.other 30`, 0.3,
			"main.each in main.each 0.70, main.other in main.other 0.30", "main.each in main.each 0.70, main.other in main.other 0.30",
		},
		{
			"some of the calls of one library meet further in", `
			main.h main.each sql.Next driver.read 25
			main.h main.each sql.Next 5
			main.h main.each sql.Scan driver.read 15
			main.h main.each sql.Scan 20
			main.h main.each 5
			main.h main.other 30`, 0.3,
			"sql.Scan in main.each 0.65, main.other in main.other 0.30", "sql.Scan in main.each 0.65, main.other in main.other 0.30",
		},
		{
			"the calls of one library meet further in", `
			main.h main.each sql.Next driver.read 40
			main.h main.each sql.Scan driver.read 20
			main.h main.each sql.Scan 5
			main.h main.each 5
			main.h main.other 30`, 0.3,
			"driver.read in main.each 0.60, main.other in main.other 0.30", "driver.read in main.each 0.60, main.other in main.other 0.30",
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
		{
			"the application's calls itself, and then what forks", `
			main.h main.eval main.eval main.window lib.next 25
			main.h main.eval main.eval main.window 20
			main.h main.eval main.eval main.rate 22
			main.h main.eval main.eval 10
			main.h main.eval 13
			main.h 10`, 0.3,
			"main.window in main.window 0.45", "main.window in main.window 0.45",
		},
		{
			"the application's calls itself, and does it all", `
			main.h main.eval main.eval main.eval 40
			main.h main.eval lib.next 20
			main.h main.eval main.eval lib.next 22
			main.h 18`, 0.3,
			"main.eval in main.eval 0.82", "main.eval in main.eval 0.82",
		},
		{
			"two functions of a package that call each other", `
			main.h json.value json.object json.value json.array json.value json.text 50
			main.h json.value json.object json.value json.number 40
			main.h 10`, 0.3,
			"json.value in main.h 0.90", "json.value in main.h 0.90",
		},
		{
			"what they all call", `
			main.h json.value json.object json.value json.array json.value strconv.Parse 80
			main.h json.value json.object 10
			main.h 10`, 0.3,
			"strconv.Parse in main.h 0.80", "strconv.Parse in main.h 0.80",
		},
		{
			"handlers around a handler", `
			http.Serve mw.Serve http.Serve zip.New 80
			http.Serve mw.Serve http.Serve 10
			main.h 10`, 0.3,
			"zip.New in http.Serve 0.80", "zip.New in http.Serve 0.80",
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

// TestConstructor: what a library's constructor makes for the application is its cost, whatever
// it takes inside; one that a library calls is how that does its work.
func TestConstructor(t *testing.T) {
	for _, c := range []struct {
		name, text string
		makes      []string
		want       string
	}{
		{"of the application", "main.h lua.NewState lua.call lua.Open 60\nmain.h lua.NewState lua.alloc 10\nmain.h 30", []string{"lua.NewState"}, "lua.NewState 70"},
		{"of a library", "main.h web.Run lua.NewState lua.call 60\nmain.h web.Run lua.NewState lua.alloc 10\nmain.h 30", []string{"lua.NewState"}, "lua.call 60"},
		{"no constructor", "main.h lua.Do lua.call lua.Open 60\nmain.h lua.Do lua.alloc 10\nmain.h 30", nil, "lua.Open 60"},
	} {
		tree := grown(c.text)
		for n := range (&facts.Node{Calls: tree.Roots}).Each() {
			n.Makes = slices.Contains(c.makes, n.Site.Function)
		}
		got := Find(tree, 0.5, false)
		if len(got) != 1 || fmt.Sprintf("%s %.0f", got[0].Culprit.Function, got[0].Value) != c.want {
			t.Errorf("%s: %+v, want %s", c.name, got, c.want)
		}
		if len(got) == 1 && got[0].Makes != (got[0].Culprit.Function == "lua.NewState") {
			t.Errorf("%s: it makes: %v", c.name, got[0].Makes)
		}
	}
}

// TestReachedFrom: what each line of the application asks of a library's function, the line with
// most of it first, also where another has the longest single way.
func TestReachedFrom(t *testing.T) {
	for tree, want := range map[string]string{
		"main.h main.a zip.New 60\nmain.h main.b zip.New 20":                                         "main.a: main.a 60, main.b 20",
		"main.h main.a one.Do zip.New 25\nmain.h main.a two.Do zip.New 25\nmain.h main.b zip.New 30": "main.a: main.a 50, main.b 30",
		"main.h main.a one.Do zip.New 40\nmain.h main.a two.Do zip.New 40":                           "main.a: ",
		"net.a zip.New 40\nnet.b zip.New 30":                                                         "net.a: ",  // no line of the application
		"main.h main.a 60\nmain.g main.a 20":                                                         "main.a: ", // its own
	} {
		owners := Find(grown(tree), 0.3, true)
		if len(owners) != 1 {
			t.Fatalf("%s: %+v", tree, owners)
		}
		var from []string
		for _, s := range owners[0].From {
			from = append(from, fmt.Sprintf("%s %.0f", s.Site.Function, s.Value))
		}
		if is := owners[0].Site.Function + ": " + strings.Join(from, ", "); is != want {
			t.Errorf("%s:\n is   %s\n want %s", tree, is, want)
		}
	}
}
