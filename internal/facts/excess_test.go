package facts_test

import (
	"slices"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// TestStates: which states of a traced request a finding is about depends on what is waited for in
// its function.
func TestStates(t *testing.T) {
	at := unpark.Site{Function: "app.ask"}
	wait := func(c unpark.WaitClass) facts.Wait {
		return facts.Wait{Class: c, Side: unpark.RequestPath, Waiter: at, Delay: 1}
	}
	for _, c := range []struct {
		name     string
		class    unpark.Class
		waits    []facts.Wait
		yes, not unpark.WaitClass
	}{
		{"answers, and a timer in a select", unpark.ClassDownstream, []facts.Wait{wait(unpark.WaitDownstream), wait(unpark.WaitSelect)}, unpark.WaitDownstream, unpark.WaitSelect},
		{"answers that another goroutine waits for", unpark.ClassDownstream, []facts.Wait{wait(unpark.WaitChannel)}, unpark.WaitChannel, unpark.WaitLock},
		{"a timer in a select", unpark.ClassRateLimit, []facts.Wait{wait(unpark.WaitSelect)}, unpark.WaitSelect, unpark.WaitDownstream},
		{"a sleep", unpark.ClassRateLimit, []facts.Wait{wait(unpark.WaitSleep), wait(unpark.WaitSelect)}, unpark.WaitSleep, unpark.WaitSelect},
		{"a channel", unpark.ClassChannel, []facts.Wait{wait(unpark.WaitChannel)}, unpark.WaitSelect, unpark.WaitDownstream},
	} {
		got := facts.Evidence{Waits: c.waits}.States(unpark.Finding{Class: c.class, Waiter: &at})
		if !slices.Contains(got, c.yes) || slices.Contains(got, c.not) {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
