package dump

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/unpark-go/unpark"
)

// still returns five equal dumps, ten seconds apart.
func still(g ...gor) *settled {
	return watched(10*time.Second, false, again(5, dumpOf(append(g, mainGor)...))...)
}

// TestMotions: goroutines that look the same in five dumps.
func TestMotions(t *testing.T) {
	recv := "example.com/shop.next(0x1) shop.go:9"
	for _, test := range []struct {
		name string
		g    gor
		want unpark.Motion
	}{
		{"lock", gor{id: 5, state: "sync.Mutex.Lock", by: 1, created: worker, calls: locking("0xc000010008", "example.com/shop.put(0x1) shop.go:4")}, unpark.MotionStuck},
		{"send", gor{id: 5, state: "chan send", by: 1, created: worker, calls: []string{"example.com/shop.put(0x1) shop.go:4"}}, unpark.MotionStuck},
		{"receive below a handler", gor{id: 5, state: "chan receive", by: 1, created: serving, calls: handling("0x9", recv)}, unpark.MotionStuck},
		{"cond below a handler", gor{id: 5, state: "sync.Cond.Wait", by: 1, created: serving, calls: handling("0x9", "sync.runtime_notifyListWait(0xc000010010, 0x0) sema.go:1", "sync.(*Cond).Wait(0x1?) cond.go:71", recv)}, unpark.MotionStuck},
		{"pool", gor{id: 5, state: "select", by: 1, created: worker, calls: []string{"database/sql.(*DB).conn(0x1) sql.go:1369", "database/sql.(*DB).query(0x1) sql.go:1747", "example.com/shop.load(0x1) shop.go:4", "example.com/shop.run(0x1) shop.go:3"}}, unpark.MotionStuck},
		{"nil channel", gor{id: 5, state: "chan receive (nil chan)", by: 1, created: worker, calls: []string{recv}}, unpark.MotionStuck},
		{"marked as leaked", gor{id: 5, state: "chan receive (leaked)", by: 1, created: worker, calls: []string{recv}}, unpark.MotionStuck},

		{"worker", gor{id: 5, state: "chan receive", by: 1, created: worker, calls: []string{recv}}, unpark.MotionParked},
		{"worker on a condition", gor{id: 5, state: "sync.Cond.Wait", by: 1, created: worker, calls: []string{"sync.runtime_notifyListWait(0x1, 0x0) sema.go:1", "sync.(*Cond).Wait(0x1?) cond.go:71", recv}}, unpark.MotionParked},
		{"ticker", gor{id: 5, state: "select", by: 1, created: worker, calls: []string{recv}}, unpark.MotionParked},
		{"keep-alive connection", gor{id: 5, state: "IO wait", by: 1, created: serving, calls: []string{"internal/poll.runtime_pollWait(0x1, 0x72) n.go:1", "internal/poll.(*FD).Read(0x1) fd.go:1", "net.(*conn).Read(0x1) net.go:1", "net/http.(*connReader).Read(0x1) server.go:1", "bufio.(*Reader).Peek(0x1) b.go:1", "net/http.(*conn).serve(0x1) server.go:2067"}}, unpark.MotionParked},

		{"deep receive off the request path", gor{id: 5, state: "chan receive", by: 1, created: worker, calls: []string{recv, "example.com/shop.step(0x1) shop.go:8", "example.com/shop.run(0x1) shop.go:7"}}, unpark.MotionWaiting},
		{"group", gor{id: 5, state: "sync.WaitGroup.Wait", by: 1, created: worker, calls: []string{"sync.runtime_SemacquireWaitGroup(0x1?, 0x0?) sema.go:114", "sync.(*WaitGroup).Wait(0xc000010000) waitgroup.go:206", recv}}, unpark.MotionWaiting},
		{"select without cases", gor{id: 5, state: "select (no cases)", by: 1, created: worker, calls: []string{recv, "example.com/shop.step(0x1) shop.go:8", "example.com/shop.run(0x1) shop.go:7"}}, unpark.MotionWaiting},

		{"answer of another service", gor{id: 5, state: "select", by: 1, created: serving, calls: handling("0x9", "net/http.(*persistConn).roundTrip(0x1) transport.go:1", "net/http.(*Transport).roundTrip(0x1) transport.go:2", recv)}, unpark.MotionOutside},
		{"long sleep below a handler", gor{id: 5, state: "sleep", by: 1, created: serving, calls: handling("0x9", "time.Sleep(0x1) time.go:1", recv)}, unpark.MotionOutside},
		{"system call", gor{id: 5, state: "syscall", by: 1, created: worker, calls: []string{"syscall.Syscall(0x1) a.go:1", "os.(*Process).Wait(0x1) exec.go:1", recv, "example.com/shop.step(0x1) shop.go:8", "example.com/shop.run(0x1) shop.go:7"}}, unpark.MotionOutside},

		{"running in one place", gor{id: 5, state: "running", by: 1, created: worker, calls: []string{"example.com/shop.spin(0x1) shop.go:4"}}, unpark.MotionAdvancing},
		{"runnable in one place", gor{id: 5, state: "runnable", by: 1, created: worker, calls: []string{"example.com/shop.spin(0x1) shop.go:4"}}, unpark.MotionAdvancing},
	} {
		got, _ := still(test.g).motionOf(5)
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
	if got, _ := still().motionOf(900); got != "" {
		t.Errorf("the observer is %q, want to be left out", got)
	}
	if got, _ := still().motionOf(1); got != unpark.MotionParked {
		t.Errorf("the main goroutine is %q", got)
	}
}

func send(id int, state, args string) gor {
	return gor{id: id, state: state, by: 1, created: worker, calls: []string{"example.com/shop.put(" + args + ") shop.go:4", "example.com/shop.run(0xc000100000) shop.go:3"}}
}

// TestMoved: goroutines at one place in every dump that moved all the same.
func TestMoved(t *testing.T) {
	for _, test := range []struct {
		name string
		args [4]string
		want unpark.Motion
	}{
		{"the same arguments", [4]string{"0xc000010008, 0x2?", "0xc000010008, 0x2?", "0xc000010008, 0x2?", "0xc000010008, 0x2?"}, unpark.MotionStuck},
		{"another argument each time", [4]string{"0xc000010008", "0xc000010010", "0xc000010018", "0xc000010020"}, unpark.MotionAdvancing},
		{"a dead argument differs", [4]string{"0x5, 0xc000010008?", "0x5, 0xc000010018?", "0x5, 0xc000010018?", "0x5, 0xc000010010?"}, unpark.MotionAdvancing},
		{"its stack was moved", [4]string{"0xc00001a708, 0xc00001a720, 0x9", "0xc000022708, 0xc000022720, 0x9", "0xc000022708, 0xc000022720, 0x9", "0xc000022708, 0xc000022720, 0x9"}, unpark.MotionStuck},
		{"two distances are no moved stack", [4]string{"0xc00001a000, 0xc00001a800", "0xc000022000, 0xc00002a800", "0xc000032000, 0xc000034800", "0xc000022000, 0xc000044800"}, unpark.MotionAdvancing},
	} {
		var dumps [][]byte
		for _, a := range test.args {
			dumps = append(dumps, dumpOf(mainGor, send(5, "chan send", a)))
		}
		if got, _ := watched(time.Second, false, dumps...).motionOf(5); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// TestWaitTimes: what the runtime's whole minutes prove, and what they refute.
func TestWaitTimes(t *testing.T) {
	const same = "0xc000010008"
	for _, test := range []struct {
		name      string
		gap       time.Duration
		collected bool
		states    []string
		want      unpark.Motion
		proven    bool
	}{
		{"a collection, and a minute later the minute shows", 31 * time.Second, true, []string{"chan send", "chan send", "chan send, 1 minutes"}, unpark.MotionStuck, true},
		{"a collection, and a minute later it does not show", 31 * time.Second, true, []string{"chan send", "chan send", "chan send"}, unpark.MotionAdvancing, false},
		{"no collection: nothing is refuted", 31 * time.Second, false, []string{"chan send", "chan send", "chan send"}, unpark.MotionStuck, false},
		{"too early", 20 * time.Second, true, []string{"chan send", "chan send", "chan send"}, unpark.MotionStuck, false},
		{"it waited longer than the watch", time.Second, false, []string{"chan send, 3 minutes", "chan send, 3 minutes", "chan send, 3 minutes"}, unpark.MotionStuck, true},
		{"the wait time fell", time.Second, false, []string{"chan send, 3 minutes", "chan send, 3 minutes", "chan send"}, unpark.MotionAdvancing, false},
		{"two minutes, one shows", 65 * time.Second, true, []string{"chan send", "chan send", "chan send, 1 minutes"}, unpark.MotionAdvancing, false},
	} {
		var dumps [][]byte
		for _, state := range test.states {
			dumps = append(dumps, dumpOf(mainGor, send(5, state, same)))
		}
		got, proven := watched(test.gap, test.collected, dumps...).motionOf(5)
		if got != test.want || proven != test.proven {
			t.Errorf("%s: %q, proven %v; want %q, %v", test.name, got, proven, test.want, test.proven)
		}
	}
}

// TestComing: goroutines that were not there from the start.
func TestComing(t *testing.T) {
	first, all := dumpOf(mainGor), dumpOf(mainGor, send(5, "chan send", "0x1"))
	if got, _ := watched(time.Second, false, first, all, all, all).motionOf(5); got != unpark.MotionRecent {
		t.Errorf("one that came and stayed is %q", got)
	}
	if got, _ := watched(time.Second, false, all, all).motionOf(5); got != unpark.MotionRecent {
		t.Errorf("two dumps are enough for %q", got)
	}
	other := dumpOf(mainGor, send(6, "chan send", "0x1"))
	s := watched(time.Second, false, all, other, all, dumpOf(mainGor, send(7, "chan send", "0x2")))
	if got, _ := s.motionOf(7); got != unpark.MotionAdvancing {
		t.Errorf("where ids come and go: %q", got)
	}
	at := s.byID[7].at
	if at.came != 3 || at.went != 3 {
		t.Errorf("%d came, %d went", at.came, at.went)
	}
}

// TestTruncatedDump: what a cut-off dump lacks has not ended.
func TestTruncatedDump(t *testing.T) {
	whole := dumpOf(mainGor, send(5, "chan send", "0x1"))
	cut := whole[:strings.Index(string(whole), "goroutine 5 ")+40]
	s := watched(time.Second, false, whole, cut, whole, whole)
	if got, _ := s.motionOf(5); got != unpark.MotionStuck {
		t.Errorf("%q, want stuck", got)
	}
	if s.byID[5].at.went != 0 {
		t.Error("it is said to have left")
	}
}

// TestAnotherProcess: ids of another process mean other goroutines.
func TestAnotherProcess(t *testing.T) {
	before := dumpOf(mainGor, send(5, "chan send", "0x1"))
	after := []byte(strings.Replace(string(before), "goroutine 900 ", "goroutine 20 ", 1))
	s := watched(time.Second, false, before, before, after, after)
	if got, _ := s.motionOf(5); got != unpark.MotionRecent || s.restarts != 1 {
		t.Errorf("%q after %d restarts: want nothing to be said", got, s.restarts)
	}
}

// TestRestartInTheLastDump: a process that restarts leaves one dump to judge by, in
// whichever dump it does, and the whole document is made of that.
func TestRestartInTheLastDump(t *testing.T) {
	before := dumpOf(mainGor, send(5, "chan send", "0x1"), send(6, "chan send", "0x1"))
	after := []byte(strings.Replace(string(dumpOf(mainGor, send(5, "chan send", "0x1"))), "goroutine 900 ", "goroutine 20 ", 1))
	for last := 1; last <= 4; last++ {
		synctest.Test(t, func(t *testing.T) {
			w, err := Run(context.Background(), Config{Sources: []Source{source(0, append(again(last, before), after)...)}, Every: time.Second, Count: last + 1})
			if err != nil {
				t.Fatal(err)
			}
			if w.Totals.Stuck != 0 || w.Totals.Goroutines != 2 || !slices.Contains(codes(w), "another-process") || !slices.Contains(codes(w), TooFew) {
				t.Errorf("restarted in dump %d: %+v, warnings %v", last+1, w.Totals, codes(w))
			}
		})
	}
}

// TestIdleByName: the user knows what parks.
func TestIdleByName(t *testing.T) {
	for _, pattern := range []string{"example.com/shop.put", "example.com/shop.*"} {
		p := newProcess(testCatalogue(), []string{pattern})
		for i := range 4 {
			if _, err := p.add(epoch.Add(time.Duration(i)*time.Second), dumpOf(mainGor, send(5, "chan send", "0x1"))); err != nil {
				t.Fatal(err)
			}
		}
		if got, _ := settle(p, 0).motionOf(5); got != unpark.MotionParked {
			t.Errorf("--idle %s: %q", pattern, got)
		}
	}
}

// TestReadFromOutside: of a process that is read from outside no goroutine writes the dump, and none other can answer: which one comes first, and
// which is left out of a dump, is chance.
func TestReadFromOutside(t *testing.T) {
	before := dumpOf(mainGor, send(5, "chan send", "0x1"))
	after := []byte(strings.Replace(string(before), "goroutine 900 ", "goroutine 20 ", 1))
	for one, want := range map[bool]bool{true: false, false: true} {
		synctest.Test(t, func(t *testing.T) {
			s := source(0, before, before, before, after)
			s.One = one
			w, err := Run(context.Background(), Config{Sources: []Source{s}, Every: time.Second, Count: 4})
			if err != nil {
				t.Fatal(err)
			}
			if got := slices.Contains(codes(w), "another-process"); got != want || (w.Totals.Stuck == 1) == want {
				t.Errorf("from outside %v: another process %v, %d stuck", one, got, w.Totals.Stuck)
			}
		})
	}
}
