package model

import (
	"slices"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// TestLinks: a wait at a channel of the application's is followed through its own goroutine to the client's, as far as most of
// the time goes.
func TestLinks(t *testing.T) {
	site := func(function string) unpark.Site { return unpark.Site{Function: function, File: "/src/main.go"} }
	of := func(name string) unpark.Site {
		return unpark.Site{Function: "example.org/amqp." + name, File: "example.org/amqp@v1.2.0/" + name + ".go"}
	}
	edge := func(waiter unpark.Site, holder []unpark.Site, held unpark.Held) unpark.Edge {
		return unpark.Edge{Class: unpark.WaitChannel, Waiter: waiter, Holder: holder[0], HolderStack: holder, Delay: 1, Count: 100, Held: []unpark.Held{held}}
	}
	waits := func(share float64) unpark.Held {
		return unpark.Held{Class: unpark.WaitChannel, Site: site("main.hear"), Share: share}
	}
	reads := unpark.Held{Class: unpark.WaitNetwork, Site: of("ReadFrame"), Call: site("io.ReadFull"), Share: 1}
	for what, c := range map[string]struct {
		first unpark.Held
		want  []string
	}{
		"most of the time": {waits(0.9), []string{"example.org/amqp.buffer", "example.org/amqp.ReadFrame"}},
		"seldom":           {waits(0.1), nil},
	} {
		m := &Model{edges: edgesBy(&unpark.Tracing{Edges: []unpark.Edge{
			edge(site("main.ask"), []unpark.Site{site("main.hear")}, c.first),
			edge(site("main.hear"), []unpark.Site{of("buffer")}, reads),
		}})}
		var got []string
		for _, s := range (Wait{Heaviest: facts.Wait{Waiter: site("main.ask")}}).Links(m) {
			got = append(got, s.Function)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
}
