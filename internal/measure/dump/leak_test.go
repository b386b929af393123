package dump

import (
	"bytes"
	"os"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/profile"
)

// lost is a goroutine that waits to send.
func lost(id int) gor { return send(id, "chan send", "0x1") }

// idle is a worker.
func idle(id int) gor {
	return gor{id: id, state: "select", by: 1, created: worker, calls: []string{"example.com/shop.work(0x1) shop.go:9"}}
}

// peer is a connection that waits for its client.
func peer(id int) gor {
	return gor{id: id, state: "IO wait", by: 1, created: serving, calls: []string{"internal/poll.runtime_pollWait(0x1, 0x72) n.go:1", "internal/poll.(*FD).Read(0x1) fd.go:1", "net.(*conn).Read(0x1) net.go:1", "net/http.(*connReader).Read(0x1) server.go:1", "net/http.(*conn).serve(0x1) server.go:2067"}}
}

// asked is one of the goroutines of a connection to another service.
func asked(loop string) func(id int) gor {
	return func(id int) gor {
		return gor{id: id, state: "select", by: 1, created: "net/http.(*Transport).dialConn transport.go:1944", calls: []string{"net/http.(*persistConn)." + loop + "(0x1) transport.go:2600"}}
	}
}

// rounds makes dumps with these goroutines, each made by make.
func rounds(make func(int) gor, sets ...[]int) [][]byte {
	var out [][]byte
	for _, set := range sets {
		all := []gor{mainGor}
		for _, id := range set {
			all = append(all, make(id))
		}
		out = append(out, dumpOf(all...))
	}
	return out
}

func TestLeakCandidates(t *testing.T) {
	for _, test := range []struct {
		name string
		make func(int) gor
		sets [][]int
		want int
	}{
		{"only grows", lost, [][]int{{10}, {10, 11}, {10, 11, 12}, {10, 11, 12, 13}}, 1},
		{"grows beside some that pass", lost, [][]int{{10, 20}, {10, 11, 21}, {10, 11, 12, 22}, {10, 11, 12, 13, 23}}, 1},
		{"workers that only grow", idle, [][]int{{10}, {10, 11}, {10, 11, 12}, {10, 11, 12, 13}}, 1},
		{"grows once", lost, [][]int{{10}, {10, 11, 12}, {10, 11, 12}, {10, 11, 12}}, 0},
		{"stays", lost, [][]int{{10, 11}, {10, 11}, {10, 11}, {10, 11}}, 0},
		{"comes and goes", lost, [][]int{{10}, {11, 12}, {13, 14, 15}, {16, 17, 18, 19}}, 0},
		{"old ones leave", lost, [][]int{{10, 11}, {10, 11, 12}, {11, 12, 13, 14}, {12, 13, 14, 15, 16}}, 0},
		{"connections of clients", peer, [][]int{{10}, {10, 11}, {10, 11, 12}, {10, 11, 12, 13}}, 0},
		{"connections that are kept to another service", asked("writeLoop"), [][]int{{10}, {10, 11}, {10, 11, 12}, {10, 11, 12, 13}}, 0},
		{"answers whose body is never closed", asked("readLoop"), [][]int{{10}, {10, 11}, {10, 11, 12}, {10, 11, 12, 13}}, 1},
		{"two dumps", lost, [][]int{{10}, {10, 11}}, 0},
	} {
		s := watched(time.Second, false, rounds(test.make, test.sets...)...)
		if w := join([]*settled{s}); len(w.Leaks) != test.want {
			t.Errorf("%s: %+v", test.name, w.Leaks)
		}
	}
}

func TestLeakIsDescribed(t *testing.T) {
	s := watched(time.Second, false, rounds(lost, []int{10}, []int{10, 11}, []int{10, 11, 12}, []int{10, 11, 12, 13})...)
	l := join([]*settled{s}).Leaks[0]
	if l.First != 1 || l.Last != 4 || l.PerSecond.Or(0) != 1 || l.Oldest.Or(0) != 3 || l.Certainty != unpark.Likely || l.Created.Place() != "shop.go:10" || l.Site.Place() != "shop.go:4" {
		t.Errorf("%+v", l)
	}
}

// TestProcessesAreJoined: prefork workers have one group for one place.
func TestProcessesAreJoined(t *testing.T) {
	sets := [][]int{{10}, {10, 11}, {10, 11, 12}, {10, 11, 12, 13}}
	a, b := watched(time.Second, false, rounds(lost, sets...)...), watched(time.Second, false, rounds(lost, sets...)...)
	b.index = 1
	w := join([]*settled{a, b})
	if len(w.Leaks) != 1 || w.Leaks[0].Last != 8 || w.Leaks[0].PerSecond.Or(0) != 2 {
		t.Errorf("leaks %+v", w.Leaks)
	}
	g := w.Groups[0]
	if g.Motion != unpark.MotionStuck || g.Goroutines != 2 || len(g.Members) != 2 || g.Series[3] != 8 || w.Totals.Goroutines != 10 || w.Totals.Places != 2 {
		t.Errorf("group %+v, totals %+v", g, w.Totals)
	}
}

// leakProfile reads a goroutineleak profile that Go 1.27 wrote after the dump of
// the same name.
func leakProfile(t *testing.T, name string) *profile.Profile {
	t.Helper()
	b, err := os.ReadFile("testdata/dumps/" + name + ".pb.gz")
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.Decode(bytes.NewReader(b), unpark.KindGoroutineLeak, name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestLeakProfile joins real profiles with the dumps before them.
func TestLeakProfile(t *testing.T) {
	for _, test := range []struct {
		name          string
		stuck, leaked int
	}{
		{"leak-go1.27", 5, 5},
		{"main-go1.27", 0, 0}, // the runtime calls select {} in main a leak
	} {
		p := newProcess(profile.NewCatalogue(""), nil)
		text := []byte(fixture(t, test.name))
		for i := range 3 {
			if _, err := p.add(epoch.Add(time.Duration(i)*time.Second), text); err != nil {
				t.Fatal(err)
			}
		}
		p.leaks(leakProfile(t, test.name))
		w := join([]*settled{settle(p, 0)})
		leaked := 0
		for _, l := range w.Leaks {
			leaked += l.Leaked
			if l.Certainty != unpark.Proven || l.Last != l.Leaked {
				t.Errorf("%s: %+v", test.name, l)
			}
		}
		if leaked != test.leaked || w.Totals.Stuck != test.stuck || w.Holds(false) != (test.stuck == 0) {
			t.Errorf("%s: %d leaked, %+v", test.name, leaked, w.Totals)
		}
		for _, g := range w.Groups {
			if g.Motion == unpark.MotionStuck && g.Proven != g.Goroutines {
				t.Errorf("%s: %d of %d proven", test.name, g.Proven, g.Goroutines)
			}
		}
	}
}

// TestLeakThatNoDumpHas: what leaked after the last dump is told as well.
func TestLeakThatNoDumpHas(t *testing.T) {
	s := newProcess(profile.NewCatalogue(""), nil)
	for range 3 {
		if _, err := s.add(epoch, dumpOf(mainGor)); err != nil {
			t.Fatal(err)
		}
	}
	s.leaks(leakProfile(t, "leak-go1.27"))
	w := join([]*settled{settle(s, 0)})
	if len(w.Leaks) != 1 || w.Leaks[0].Leaked != 5 || w.Leaks[0].Site.Function != "main.ask.func1" {
		t.Errorf("%+v", w.Leaks)
	}
}
