package offers

import (
	"testing"

	"github.com/unpark-go/unpark"
)

// TestBounded: of a wait at a channel that has its capacity from a setting no other setting is told, and that one as what it is; where something else of the
// module lies between, or the channel has none, others are.
func TestBounded(t *testing.T) {
	reader := func(size string) string {
		return "// Options are some.\ntype Options struct {\n\t// Decoders is how many.\n\tDecoders int\n\t// MaxWindow is how large.\n\tMaxWindow int\n}\n\ntype Reader struct {\n\topts Options\n\tslots chan int\n}\n\n" +
			"func NewReader(o Options) *Reader { return &Reader{opts: o, slots: make(chan int, " + size + ")} }\n\n" +
			"func (r *Reader) Decode() { _ = r.opts.MaxWindow; <-r.slots; r.lock() }\n\nfunc (r *Reader) lock() { r.mu.Lock() }"
	}
	for _, c := range []struct {
		principle
		on bool
	}{
		{principle{what: "its capacity", text: reader("o.Decoders"), functions: "runtime.chanrecv1 .(*Reader).Decode main.main", want: "Options.Decoders"}, true},
		{principle{what: "a fixed one", text: reader("1"), functions: "runtime.chanrecv1 .(*Reader).Decode main.main", want: "Options.MaxWindow"}, false},
		{principle{what: "another wait", text: reader("o.Decoders"), functions: "runtime.chanrecv1 .(*Reader).lock .(*Reader).Decode main.main", want: "Options.Decoders Options.MaxWindow"}, false},
	} {
		c.kind, c.class = unpark.OfferSetting, unpark.ClassPool
		c.run(t)
		all := stack(c.functions)
		for _, o := range of(t, c.text).For([]unpark.Finding{{Class: c.class, Path: all, Culprit: &all[1]}}) {
			if o.Kind == c.kind && o.On != c.on {
				t.Errorf("%s: %s is told as the capacity: %v", c.what, o.Name, o.On)
			}
		}
	}
}
