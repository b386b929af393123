package model

import (
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// Waits of functions that share a lock are of one lock, whatever the functions.
func TestSharedLockIsOne(t *testing.T) {
	line := unpark.Site{Function: "main.(*log).line", Line: 10}
	request := unpark.Site{Function: "main.(*log).request", Line: 30}
	for _, c := range []struct {
		name string
		b    string // what the second shares
		want int
	}{{"one name", "x", 1}, {"two names", "y", 2}, {"none", "", 2}} {
		m := &Model{Seconds: 10, Ev: facts.Evidence{Locks: []facts.Lock{
			{Side: unpark.RequestPath, Type: "sync.Mutex", Waiter: line, Delay: 17, Shared: "x"},
			{Side: unpark.RequestPath, Type: "sync.Mutex", Waiter: request, Delay: 4, Shared: c.b},
		}}}
		got := contended(m)
		if len(got) != c.want || got[0].Heaviest.Waiter != line {
			t.Errorf("%s: %d locks, want %d", c.name, len(got), c.want)
		}
		if c.want == 1 && got[0].Delay != 21 {
			t.Errorf("%s: waited %v s, want 21", c.name, got[0].Delay)
		}
	}
}
