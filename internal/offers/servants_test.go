package offers

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestServants: how many goroutines take what a function sends is told of its wait, and not as any other setting; not how many are started of something else, nor of
// what runs once.
func TestServants(t *testing.T) {
	const desk = `
// Config is of a desk.
type Config struct{ Clerks, Cleaners int }

type Desk struct{ letters, bins chan int }

func New(c Config) *Desk {
	d := &Desk{letters: make(chan int)}
	for i := 0; i < c.Clerks; i++ {
		go d.serve()
	}
	for i := 0; i < c.Cleaners; i++ {
		go d.clean()
	}
	return d
}

func Open(clerks int) *Desk {
	d := &Desk{}
	for range clerks {
		go func() {
			for v := range d.letters {
				use(v)
			}
		}()
	}
	return d
}

func (d *Desk) serve() {
	for v := range d.letters {
		use(v)
	}
}

func (d *Desk) clean() { <-d.bins }

func (d *Desk) Post(v int) { d.letters <- v }
`
	for what, c := range map[string]struct{ text, want string }{
		"so many take it":  {desk, "Config.Clerks Open(clerks)"},
		"they take others": {strings.ReplaceAll(desk, "range d.letters", "range d.bins"), ""},
		"it is one":        {strings.NewReplacer("for i := 0; i < c.Clerks; i++ {", "{", "for range clerks {", "{").Replace(desk), ""},
	} {
		if got := told(t, unpark.OfferWorkers, unpark.ClassChannel, c.text, ".(*Desk).Post main.main"); got != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
		if got := told(t, unpark.OfferSetting, unpark.ClassChannel, c.text, ".(*Desk).Post main.main"); c.want != "" && got != "" {
			t.Errorf("%s: it is told as a setting again: %q", what, got)
		}
	}
}
