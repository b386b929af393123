package model

import (
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// TestAgain: a wait for a time is one between tries where few requests have it, and have it more than once.
func TestAgain(t *testing.T) {
	site := unpark.Site{Function: "store.(*lock).take"}
	for name, c := range map[string]struct {
		class unpark.WaitClass
		count float64 // waits of 2 s, of 1000 requests
		most  float64 // s, the slowest request
		want  bool
	}{
		"one of a hundred, up to six in a request": {unpark.WaitSleep, 10, 12, true},
		"one of a hundred, once":                   {unpark.WaitSleep, 10, 2.1, false},
		"each request, several times":              {unpark.WaitSleep, 3000, 12, false},
		"for a goroutine":                          {unpark.WaitSelect, 10, 12, false},
		"none that ended":                          {unpark.WaitSleep, 0, 12, false},
	} {
		l := unpark.Latency{N: 1000, Mean: 0.02, P50: 0.001, P99: 2, Max: c.most}
		m := New(facts.Evidence{
			Seconds: 10, Requests: unpark.Num(1000),
			Window: unpark.Window{Load: &unpark.Load{Mode: unpark.Closed, AchievedRPS: 100, Response: l, Service: l}},
		})
		w := Wait{Heaviest: facts.Wait{Class: c.class, Waiter: site}, Delay: 2 * c.count, Count: c.count}
		if got := w.Again(m); got != c.want {
			t.Errorf("%s: %t, want %t", name, got, c.want)
		}
	}
}
