package fleet

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
)

// BenchmarkStarts has 3 agents begin, over a way of 50 ms in each direction, with clocks that are 2 s off: apart-ms is how far
// apart they began by this machine's own clock, late-ms how far from the instant that was named. $UNPARK_FLEET_CONNECTIONS is how
// many connections they prepare.
func BenchmarkStarts(b *testing.B) {
	f, join := open(b)
	s := serve(b)
	way := far(b, f.URL(), 50*time.Millisecond)
	shifts := []time.Duration{2 * time.Second, -2 * time.Second, 0}
	for i, shift := range shifts {
		start(b, way.url(), join, string(rune('a'+i)), shift)
	}
	agents, err := f.Choose(b.Context(), "3", 40*time.Second)
	if err != nil {
		b.Fatal(err)
	}
	p := plan(b, s.url, unpark.Constant, 60, 60)
	_, _ = fmt.Sscan(os.Getenv("UNPARK_FLEET_CONNECTIONS"), &p.Connections)
	var apart, late []float64
	for b.Loop() {
		session, err := f.Begin(b.Context(), order(agents, p))
		if err != nil {
			b.Fatal(err)
		}
		time.Sleep(time.Until(session.Start().Add(100 * time.Millisecond)))
		session.letGo(b)
		apart = append(apart, session.apart(shifts).Seconds()*1e3)
		for _, m := range session.members {
			late = append(late, session.late(&part{member: m, done: m.done}).Seconds()*1e3)
		}
	}
	slices.Sort(apart)
	b.Logf("apart, ms: %.2f", apart)
	slices.Sort(late)
	b.Logf("late, ms: %.2f", late)
	b.ReportMetric(apart[len(apart)/2], "apart-ms")
	b.ReportMetric(apart[len(apart)-1], "most-apart-ms")
	b.ReportMetric(late[len(late)-1], "most-late-ms")
}

// letGo ends the load, and waits for what the agents have to say of it.
func (s *Session) letGo(b *testing.B) {
	err := s.each(func(m *member) error {
		_, err := s.ask(b.Context(), m, "stop", 20*time.Second, struct{}{})
		if err == nil {
			<-m.came
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	s.End()
}
