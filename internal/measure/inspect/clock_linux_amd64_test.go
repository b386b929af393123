package inspect

import (
	"testing"
	"time"
)

// TestClockIsOne: a clock says the same whenever it is asked, or waits that went on no further would shrink; another says about that.
func TestClockIsOne(t *testing.T) {
	c := newClock()
	first := c.perSecond()
	for range 5 {
		time.Sleep(3 * time.Millisecond)
		if again := c.perSecond(); again != first {
			t.Fatalf("%v ticks a second, then %v", first, again)
		}
	}
	if other := newClock().perSecond(); other < 0.9*first || other > 1.1*first {
		t.Errorf("another clock has %v ticks a second, this one %v", other, first)
	}
}
