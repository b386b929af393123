package offers

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestDelay: the parameter that a timer is given, as the call of the service has it.
func TestDelay(t *testing.T) {
	const lock = `
type Flock struct{}

func try(ctx context.Context, f func() bool, delay time.Duration) bool {
	for !f() {
		select {
		case <-ctx.Done():
			return false
		case <-time.After(%)):
		}
	}
	return true
}
`
	with := func(wait, outer string) string { return strings.Replace(lock, "%)", wait, 1) + outer }
	const through = "func (f *Flock) TryLock(ctx context.Context, retry time.Duration) bool { return try(ctx, nil, retry) }"
	for what, c := range map[string]struct {
		class unpark.Class
		text  string
		want  string
	}{
		"through a call":      {unpark.ClassRateLimit, with("delay", through), "Flock.TryLock retry try"},
		"another wait":        {unpark.ClassLock, with("delay", through), ""},
		"a number of its own": {unpark.ClassRateLimit, with("time.Second", through), ""},
		"another variable":    {unpark.ClassRateLimit, with("every", through), ""},
		"not handed on":       {unpark.ClassRateLimit, with("delay", "func (f *Flock) TryLock(ctx context.Context, retry time.Duration) bool { return try(ctx, nil, 5) }"), ""},
	} {
		all := stack(".try .(*Flock).TryLock main.lock")
		got := ""
		for _, o := range of(t, c.text).For([]unpark.Finding{{Class: c.class, Path: all, Culprit: &all[0]}}) {
			if o.Kind == unpark.OfferDelay {
				got = o.Name + " " + o.Type + " " + o.By
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
}
