package evidence_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
)

// asking is a service that asks another one, and has so long for that.
type asking struct {
	other string
	bound time.Duration
}

func (a asking) ask(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, a.bound)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, a.other, nil)
	if err != nil {
		return
	}
	if resp, err := http.DefaultClient.Do(req); err == nil {
		_, _ = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
}

// TestWaitsThatDeadlinesEnd: in a real trace a call that is never answered ends with its time, and one that is answered does not.
func TestWaitsThatDeadlinesEnd(t *testing.T) {
	for _, c := range []struct {
		name     string
		bound    time.Duration
		answered bool
	}{{"never answered", 40 * time.Millisecond, false}, {"answered in time", time.Minute, true}} {
		t.Run(c.name, func(t *testing.T) {
			other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				if c.answered {
					time.Sleep(40 * time.Millisecond)
					return
				}
				<-r.Context().Done()
			}))
			defer other.Close()
			a := asking{other.URL, c.bound}
			ev, _ := reduce(traced(t, 4, 10, func(_ http.ResponseWriter, r *http.Request) { a.ask(r.Context()) }))
			for _, w := range ev.Waits {
				if w.Class != unpark.WaitDownstream || !strings.HasSuffix(w.Waiter.Function, "asking.ask") {
					continue
				}
				if late, given := w.Late.Or(0), w.GivenUp.Or(0); c.answered && late+given > 0 || !c.answered && (late < 0.5 || given < 0.3) {
					t.Errorf("%.2f of the time and %.2f of the waits ended with their context: %+v", late, given, w)
				}
				return
			}
			t.Errorf("no wait for the other service: %+v", ev.Waits)
		})
	}
}
