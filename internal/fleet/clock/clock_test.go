package clock

import (
	"math/rand/v2"
	"testing"
	"time"
)

// TestEstimate: of a path with queues in either direction the offset is right within a
// fraction of a millisecond, however far off the clock is; of one whose directions differ, half of the difference is in it.
func TestEstimate(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	ms := int64(time.Millisecond)
	for _, c := range []struct{ ahead, there, back, wrong int64 }{
		{2000 * ms, 50 * ms, 50 * ms, 0},
		{-2000 * ms, 50 * ms, 50 * ms, 0},
		{0, ms / 10, ms / 10, 0},
		{7 * ms, 30 * ms, 10 * ms, 10 * ms},
	} {
		var all []Exchange
		for i := range int64(32) {
			e := Exchange{Sent: i * 200 * ms}
			e.Came = e.Sent + c.there + int64(r.ExpFloat64()*float64(2*ms)) + c.ahead
			e.Answered = e.Came + ms/20
			e.Received = e.Answered - c.ahead + c.back + int64(r.ExpFloat64()*float64(2*ms))
			all = append(all, e)
		}
		o, err := Estimate(all)
		if err != nil {
			t.Fatal(err)
		}
		if d := int64(o.Ahead) - c.ahead - c.wrong; d < -ms || d > ms {
			t.Errorf("%+v: ahead by %v", c, o.Ahead)
		}
		if int64(o.Trip) < c.there+c.back || int64(o.Trip) > c.there+c.back+2*ms || o.N != 32 || o.Spread <= 0 {
			t.Errorf("%+v: %+v", c, o)
		}
	}
	if _, err := Estimate([]Exchange{{0, 1, 1, 2}}); err == nil {
		t.Error("an offset of one exchange")
	}
	if _, err := Estimate([]Exchange{{0, 1, 1, 2}, {0, 9, 1, 2}, {5, 1, 1, 2}}); err == nil {
		t.Error("an offset of exchanges that cannot be")
	}
}

// TestClock: instants go there and back, with a shift too, and the clock follows the
// monotonic one.
func TestClock(t *testing.T) {
	for _, shift := range []time.Duration{0, 2 * time.Second, -2 * time.Second} {
		c := New(shift)
		now := time.Now()
		if got := c.Time(c.At(now)).Sub(now); got != 0 {
			t.Errorf("shift %v: there and back is %v off", shift, got)
		}
		if d := time.Duration(c.Now()-now.UnixNano()) - shift; d < 0 || d > 5*time.Second {
			t.Errorf("shift %v: it is %v off", shift, d)
		}
	}
}
