package offers

import (
	"slices"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestGains: of two settings that fit as well, that comes first which is said to be for speed; one that fits by no word is offered where what costs
// reads it.
func TestGains(t *testing.T) {
	const press = `
// Config is of a press.
type Config struct {
	// CacheSize is how much is kept.
	CacheSize int
	// CopyLimit is how much is copied. A higher one improves throughput.
	CopyLimit int
	// Greyish makes printing faster.
	Greyish bool
	// Framed is for a frame.
	Framed bool
}

type Press struct{ c Config }

func New(c Config) *Press { return nil }

func (p *Press) Print() { use(p.c.CacheSize, p.c.CopyLimit, p.c.Greyish, p.c.Framed) }
`
	all, got := stack(".(*Press).Print main.main"), []string(nil)
	for _, o := range of(t, press).For([]unpark.Finding{{Class: unpark.ClassCPU, Path: all, Culprit: &all[0]}}) {
		if o.Kind == unpark.OfferSetting {
			got = append(got, o.Name)
		}
	}
	if want := []string{"Config.CopyLimit", "Config.CacheSize", "Config.Greyish"}; !slices.Equal(got, want) {
		t.Errorf("settings are %q, want %q", got, want)
	}
}

// TestSpent: of what computes the settings are offered that it reads, and those of what takes a good part of it; not of what the others
// on the way call besides.
func TestSpent(t *testing.T) {
	const press = `
// Config is of a press.
type Config struct{ CacheSize, CopyLimit, IndexDepth int }

type Press struct{ c Config }

func New(c Config) *Press { return nil }

func (p *Press) Print() {
	p.index()
	p.set()
}

func (p *Press) index() { _ = p.c.IndexDepth }

func (p *Press) set() {
	_ = p.c.CacheSize
	p.copy()
	p.draw()
}

func (p *Press) copy() { _ = p.c.CopyLimit }

func (p *Press) draw() {}
`
	all := stack(".(*Press).set .(*Press).Print main.main")
	of := of(t, press)
	for what, c := range map[string]struct {
		class unpark.Class
		into  string
		want  string
	}{
		"all that the culprit calls":    {unpark.ClassCPU, "", "Config.CacheSize Config.CopyLimit"},
		"a good part is in copying":     {unpark.ClassCPU, ".(*Press).copy", "Config.CacheSize Config.CopyLimit"},
		"a good part is in drawing":     {unpark.ClassCPU, ".(*Press).draw", "Config.CacheSize"},
		"where it is waited all may be": {unpark.ClassPool, "", "Config.CacheSize Config.CopyLimit Config.IndexDepth"},
	} {
		f := unpark.Finding{Class: c.class, Path: all, Culprit: &all[0]}
		if c.into != "" {
			f.Into = []unpark.Part{{Site: stack(c.into)[0], Share: 0.4}}
		}
		if got := names(of.For([]unpark.Finding{f}), unpark.OfferSetting); got != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
}

// TestMarks: of another service's answers a switch is offered whose words all go with the wait, and not what is done with them.
func TestMarks(t *testing.T) {
	const cache = `
// Transport asks.
type Transport struct {
	// MarkCachedAnswers says in a header where an answer is from.
	MarkCachedAnswers bool
	// DisablePipeline asks one at a time.
	DisablePipeline bool
	compress bool
}

func NewTransport() *Transport { return nil }

func (t *Transport) EnableCompress() { t.compress = true }

func (t *Transport) RoundTrip() { use(t.MarkCachedAnswers, t.DisablePipeline, t.compress) }
`
	if got := told(t, unpark.OfferSetting, unpark.ClassDownstream, cache, ".(*Transport).RoundTrip main.main"); got != "Transport.DisablePipeline" {
		t.Errorf("settings are %q", got)
	}
}
