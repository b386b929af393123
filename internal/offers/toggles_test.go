package offers

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestToggles: a method that sets the field on which a call depends, and is named after it; not one that ends something, that is
// named otherwise, or that turns on what costs.
func TestToggles(t *testing.T) {
	const queue = `
type Queue struct{ turbo, closed bool; f *os.File }

func New() *Queue { return nil }

// TurboOn leaves it to the system when to write.
func (q *Queue) TurboOn() error {
	q.turbo = true
	return nil
}

func (q *Queue) TurboOff() { q.turbo = false }

func (q *Queue) Close() { q.closed = true }

func (q *Queue) SetClosed() { q.closed = true }

func (q *Queue) Hurry() { q.turbo = true }

func (q *Queue) sync() {
	if q.turbo || q.closed {
		return
	}
	q.flush()
}

func (q *Queue) flush() { q.f.Sync() }

func (q *Queue) Put() { q.sync() }
`
	const path = ".(*Queue).flush .(*Queue).sync .(*Queue).Put main.main"
	for what, c := range map[string]struct {
		class      unpark.Class
		text, want string
	}{
		"it is called without that": {unpark.ClassIO, queue, "Queue.TurboOn"},
		"of what computes, too":     {unpark.ClassCPU, queue, "Queue.TurboOn"},
		"it is called with it":      {unpark.ClassIO, strings.Replace(queue, "q.turbo || q.closed", "!q.turbo || q.closed", 1), "Queue.TurboOff"},
		"stored":                    {unpark.ClassIO, strings.Replace(queue, "q.turbo = true", "q.turbo.Store(true)", 1), "Queue.TurboOn"},
		"a field of another name":   {unpark.ClassIO, strings.ReplaceAll(queue, "q.turbo", "q.fast"), ""},
		"what is asked for is off":  {unpark.ClassIO, strings.NewReplacer("q.turbo ||", "!q.put ||", "TurboOn", "SetPut", "q.turbo = true", "q.put = false").Replace(queue), ""},
		"it does not depend on it":  {unpark.ClassIO, strings.Replace(queue, "q.turbo || q.closed", "q.closed", 1), ""},
	} {
		if got := told(t, unpark.OfferSwitch, c.class, c.text, path); got != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
}

// TestForks: what the user's own function calls for a good part of its cost is looked at, and by a field what may be in that.
func TestForks(t *testing.T) {
	const reader = `
type Reader struct{ next func() bool; chunk int }

// WithChunk reads so many at once.
func WithChunk(n int) func(*Reader) { return func(r *Reader) { r.chunk = n } }

func New() *Reader {
	r := &Reader{}
	r.next = r.nextMany
	return r
}

func (r *Reader) nextMany() bool { return r.chunk > 1 }

func (r *Reader) Next() bool { return r.next() }
`
	mine := stack("main.stream main.main")
	for share, want := range map[float64]string{0.4: "WithChunk", 0.2: ""} {
		f := unpark.Finding{Class: unpark.ClassAlloc, Path: mine, Culprit: &mine[0], Into: []unpark.Part{{Site: stack(".(*Reader).Next")[0], Share: share}}}
		if got := names(of(t, reader).For([]unpark.Finding{f}), unpark.OfferSetting); got != want {
			t.Errorf("of %v: %q, want %q", share, got, want)
		}
	}
}

// TestChosen: what decides which function is called by a field, and not what another field has, or what is called by its name.
func TestChosen(t *testing.T) {
	const reader = `
type Reader struct{ next, done func() bool; chunk int; strict bool }

type Option func(*Reader)

// WithChunk reads so many at once.
func WithChunk(n int) Option { return func(r *Reader) { r.chunk = n } }

func WithStrict(on bool) Option { return func(r *Reader) { r.strict = on } }

func NewReader(opts ...Option) *Reader {
	r := &Reader{}
	switch {
	case r.chunk > 1:
		r.next = r.nextMany
	default:
		r.next = r.nextOne
	}
	if r.strict {
		r.done = r.check
	}
	return r
}

func (r *Reader) nextOne() bool { return true }

func (r *Reader) nextMany() bool { return true }

func (r *Reader) check() bool { return true }

func (r *Reader) Next() bool { return r.next() }
`
	for what, c := range map[string]struct{ text, path, want string }{
		"another one by a setting":   {reader, ".(*Reader).nextOne .(*Reader).Next main.main", "WithChunk"},
		"the other way round":        {reader, ".(*Reader).nextMany .(*Reader).Next main.main", ""},
		"it is called by its name":   {strings.Replace(reader, "return r.next()", "return r.nextOne()", 1), ".(*Reader).nextOne .(*Reader).Next main.main", ""},
		"there is no other":          {strings.Replace(reader, "r.next = r.nextMany", "r.done = r.nextMany", 1), ".(*Reader).nextOne .(*Reader).Next main.main", ""},
		"a setting of no use to set": {strings.ReplaceAll(reader, "WithChunk", "chunked"), ".(*Reader).nextOne .(*Reader).Next main.main", ""},
	} {
		if got := told(t, unpark.OfferSwitch, unpark.ClassCPU, c.text, c.path); got != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
}
