package dump

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
)

// transfer waits for the lock at one address, with pointers to two accounts whose
// lock is 16 bytes in.
func transfer(id int, lock, from, to string) gor {
	return gor{
		id: id, state: "sync.Mutex.Lock", by: 1, created: worker,
		calls: locking(lock, "example.com/shop.(*account).receive(0x1?, 0x2) a.go:9", "example.com/shop.(*account).transfer("+from+", "+to+", 0x2) a.go:5"),
	}
}

func TestRing(t *testing.T) {
	s := still(transfer(5, "0xc000020030", "0xc000010000", "0xc000020020"), transfer(6, "0xc000010010", "0xc000020020", "0xc000010000"))
	if len(s.locked) != 1 {
		t.Fatalf("%d deadlocks", len(s.locked))
	}
	d := s.locked[0]
	if !slices.Equal(d.Goroutines, []int64{5, 6}) || d.Certainty != unpark.Likely || !strings.Contains(d.Title, "ring") {
		t.Errorf("%+v", d)
	}
	if len(s.links) != 2 || s.links[0].Object != "sync.Mutex 0xc000020030" || !slices.Equal(s.links[0].To, []int64{6}) {
		t.Errorf("links %+v", s.links)
	}
}

// TestNoRing: near misses of a ring.
func TestNoRing(t *testing.T) {
	busy := gor{id: 7, state: "runnable", by: 1, created: worker, calls: []string{"example.com/shop.(*account).audit(0xc000020020) a.go:30"}}
	reading := gor{id: 7, state: "IO wait", by: 1, created: serving, calls: handling("0x9", "internal/poll.runtime_pollWait(0x1, 0x72) n.go:1", "internal/poll.(*FD).Read(0x1) fd.go:1", "net.(*conn).Read(0x1) net.go:1", "example.com/shop.(*account).load(0xc000020020) a.go:30")}
	sleeping := gor{id: 7, state: "sleep", by: 1, created: worker, calls: []string{"time.Sleep(0x1) time.go:1", "example.com/shop.(*account).nap(0xc000020020) a.go:30"}}
	for name, g := range map[string]gor{"a holder that runs": busy, "a holder that reads": reading, "a holder that sleeps": sleeping} {
		s := still(transfer(5, "0xc000020030", "0xc000010000", "0xc000020020"), g)
		if len(s.locked) != 0 {
			t.Errorf("%s: deadlock %+v", name, s.locked)
		}
		if len(s.links) != 1 || !slices.Equal(s.links[0].To, []int64{7}) {
			t.Errorf("%s: links %+v", name, s.links)
		}
	}
}

// TestNobodyLeft: a lock that was not unlocked.
func TestNobodyLeft(t *testing.T) {
	waiter := func(id int) gor {
		return gor{id: id, state: "sync.Mutex.Lock", by: 1, created: worker, calls: locking("0xc000020030", "example.com/shop.put(0x1?) a.go:9")}
	}
	s := still(waiter(5), waiter(6), waiter(7))
	if len(s.locked) != 1 || s.locked[0].Count != 3 || !strings.Contains(s.locked[0].Title, "no goroutine") {
		t.Errorf("%+v", s.locked)
	}
	leaked := waiter(5)
	leaked.state = "sync.Mutex.Lock (leaked)"
	if s := still(leaked); len(s.locked) != 1 || s.locked[0].Certainty != unpark.Proven {
		t.Errorf("found by the runtime: %+v", s.locked)
	}
}

// TestReadLockHasNoAddress: what is not live must not be compared.
func TestReadLockHasNoAddress(t *testing.T) {
	reader := func(id int, call string) gor {
		return gor{id: id, state: "sync.RWMutex.RLock", by: 1, created: worker, calls: []string{
			"sync.runtime_SemacquireRWMutexR(0xc000020030?, 0x0?, 0x1?) sema.go:100", "sync.(*RWMutex).RLock(...) rwmutex.go:74", call,
		}}
	}
	s := still(reader(5, "example.com/shop.get(0x1?) a.go:9"), reader(6, "example.com/shop.list(0x1?) a.go:20"))
	if len(s.links) != 2 || s.links[0].Object != "sync.RWMutex" {
		t.Errorf("links %+v: two places may be two locks", s.links)
	}
}

// TestWriteLock: writers wait for the Mutex in an RWMutex or for its readers; the
// address is that of the RWMutex either way.
func TestWriteLock(t *testing.T) {
	outer := []string{"sync.(*RWMutex).Lock(0xc000020030) rwmutex.go:150", "example.com/shop.put(0x1?) a.go:9"}
	s := still(gor{id: 5, state: "sync.Mutex.Lock", by: 1, created: worker, calls: locking("0xc000020030", outer...)},
		gor{id: 6, state: "sync.RWMutex.Lock", by: 1, created: worker, calls: append([]string{"sync.runtime_SemacquireRWMutex(0x1?, 0x0?, 0x1?) sema.go:100"}, outer...)})
	if len(s.links) != 1 || s.links[0].Object != "sync.RWMutex 0xc000020030" || s.links[0].FromCount != 2 {
		t.Errorf("links %+v", s.links)
	}
}

// TestQueue: who waits for a lock that others get is in a queue, not stuck.
func TestQueue(t *testing.T) {
	waiter := func(id int) gor {
		return gor{id: id, state: "sync.Mutex.Lock", by: 1, created: worker, calls: locking("0xc000020030", "example.com/shop.put(0x1?) a.go:9")}
	}
	holder := func(id int) gor {
		return gor{id: id, state: "sleep", by: 1, created: worker, calls: []string{"time.Sleep(0x1) time.go:1", "example.com/shop.put(0x1?) a.go:10"}}
	}
	s := watched(time.Second, false, dumpOf(mainGor, waiter(5), waiter(6), holder(7)), dumpOf(mainGor, waiter(5), holder(6), waiter(7)), dumpOf(mainGor, waiter(5), waiter(6), holder(7)))
	if got, _ := s.motionOf(5); got != unpark.MotionAdvancing || len(s.locked) > 0 {
		t.Errorf("%q, %+v", got, s.locked)
	}
}

// TestGathering: a parent waits for children that want to send to it.
func TestGathering(t *testing.T) {
	parent := gor{id: 5, state: "sync.WaitGroup.Wait", by: 1, created: worker, calls: []string{
		"sync.runtime_SemacquireWaitGroup(0x1?, 0x0?) sema.go:114", "sync.(*WaitGroup).Wait(0xc000010000) waitgroup.go:206", "example.com/shop.all() a.go:3",
	}}
	child := func(id int, state string) gor {
		return gor{id: id, state: state, by: 5, created: "example.com/shop.all a.go:2", calls: []string{"example.com/shop.one(0x1) a.go:8"}}
	}
	s := still(parent, child(6, "chan send"), child(7, "chan send"))
	if len(s.locked) != 1 || s.locked[0].Count != 3 {
		t.Errorf("%+v", s.locked)
	}
	if got, _ := s.motionOf(5); got != unpark.MotionStuck {
		t.Errorf("the parent is %q", got)
	}
	s = still(parent, child(6, "chan send"), child(7, "runnable"))
	if got, _ := s.motionOf(5); len(s.locked) > 0 || got != unpark.MotionOutside {
		t.Errorf("with a child that runs: %q, %+v", got, s.locked)
	}
	if s = still(parent, child(6, "chan receive"), child(7, "chan receive")); len(s.locked) > 0 {
		t.Errorf("with idle workers: %+v", s.locked)
	}
}
