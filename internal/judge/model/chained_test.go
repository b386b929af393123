package model_test

import (
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// lines is a stack, leaf first, with the line in each function.
func lines(functions []string, numbers ...int) []unpark.Site {
	var out []unpark.Site
	for i, f := range functions {
		out = append(out, at(f, numbers[i]))
	}
	return out
}

// poolLock is taken at line 44 of pool.get and let go at line 47: requests queue for it.
func poolLock(held unpark.Number) facts.Lock {
	return facts.Lock{
		Side: unpark.RequestPath, Type: "sync.Mutex", Waiter: at("pool.get", 44), Holder: at("pool.get", 47), Delay: 70, Released: 70, Count: 900, Releases: 900,
		WaiterAll:   lines([]string{"sync.(*Mutex).Lock", "pool.get", "app.ask"}, 1, 44, 9),
		HolderAll:   lines([]string{"sync.(*Mutex).Unlock", "pool.get", "app.ask"}, 1, 47, 9),
		Utilization: held,
	}
}

// connLock is let go in conn.flush, and waited for in a function that pool.get calls at a line.
func connLock(waiter string, line int, delay float64) facts.Lock {
	return facts.Lock{
		Side: unpark.RequestPath, Type: "sync.Mutex", Waiter: at(waiter, 31), Holder: at("conn.flush", 23), Delay: delay, Released: delay, Count: 100, Releases: 100,
		WaiterAll:   lines([]string{"sync.(*Mutex).Lock", waiter, "pool.get", "app.ask"}, 1, 31, line, 9),
		HolderAll:   lines([]string{"sync.(*Mutex).Unlock", "conn.flush", "app.flusher"}, 1, 23, 9),
		Utilization: unpark.Num(0.9),
	}
}

// elsewhere waits for the connection's lock outside of the pool's.
func elsewhere(delay float64) facts.Lock {
	l := connLock("conn.read", 0, delay)
	l.WaiterAll = lines([]string{"sync.(*Mutex).Lock", "conn.read", "app.reader"}, 1, 31, 9)
	return l
}

// holders is the edge of a trace between those that queue for the pool's lock and its holder, which waits for so much of the
// time for the connection's.
func holders(count int64, waiting, unsaid float64) *unpark.Tracing {
	return &unpark.Tracing{Seconds: 1, Requests: 1000, Edges: []unpark.Edge{{
		Class: unpark.WaitLock, Waiter: at("pool.get", 44), Holder: at("pool.get", 47), Delay: 12, Count: count,
		Held: []unpark.Held{
			{Class: unpark.WaitLock, Site: at("conn.add", 31), Share: waiting},
			{Class: unpark.WaitUnknown, Share: unsaid},
			{Class: unpark.Running, Share: 1 - waiting - unsaid},
		},
	}}}
}

// TestChainedLocks: a lock whose holder waits for another one most of the time has no queue of its own, however long it is held.
// The window is ten seconds.
func TestChainedLocks(t *testing.T) {
	long, short := unpark.Num(0.95), unpark.Num(0.25)
	for name, c := range map[string]struct {
		locks  []facts.Lock
		traces *unpark.Tracing
		one    bool
	}{
		"most of the hold":                     {[]facts.Lock{poolLock(long), connLock("conn.add", 46, 9)}, nil, true},
		"a tenth of the hold":                  {[]facts.Lock{poolLock(long), connLock("conn.add", 46, 1)}, nil, false},
		"most of a short hold":                 {[]facts.Lock{poolLock(short), connLock("conn.add", 46, 2)}, nil, true},
		"a part of a short hold":               {[]facts.Lock{poolLock(short), connLock("conn.add", 46, 1)}, nil, false},
		"before it is had":                     {[]facts.Lock{poolLock(long), connLock("conn.add", 43, 9)}, nil, false},
		"after it is let go":                   {[]facts.Lock{poolLock(long), connLock("conn.add", 48, 9)}, nil, false},
		"others wait longer":                   {[]facts.Lock{poolLock(long), elsewhere(20), connLock("conn.add", 46, 8)}, nil, true},
		"mostly others wait":                   {[]facts.Lock{poolLock(long), connLock("conn.add", 46, 1), elsewhere(20)}, nil, false},
		"held for how long is known of none":   {[]facts.Lock{poolLock(unpark.Number{}), connLock("conn.add", 46, 9)}, nil, false},
		"but a trace says what its holder did": {[]facts.Lock{poolLock(unpark.Number{}), connLock("conn.add", 46, 9)}, holders(900, 0.9, 0), true},
		"which was to compute":                 {[]facts.Lock{poolLock(unpark.Number{}), connLock("conn.add", 46, 9)}, holders(900, 0.1, 0), false},
		"or says it of few":                    {[]facts.Lock{poolLock(unpark.Number{}), connLock("conn.add", 46, 9)}, holders(9, 0.9, 0), false},
		"or of little of the time":             {[]facts.Lock{poolLock(unpark.Number{}), connLock("conn.add", 46, 9)}, holders(900, 0.2, 0.8), false},
	} {
		t.Run(name, func(t *testing.T) {
			ev := loaded()
			ev.Locks, ev.Tracing = c.locks, c.traces
			all := model.New(ev).Locks
			if (len(all) == 1) != c.one {
				t.Fatalf("%d locks: %+v", len(all), all)
			}
			if !c.one {
				return
			}
			q, delay := all[0], 0.0
			for _, l := range c.locks {
				delay += l.Delay
				if !q.Is(l) {
					t.Errorf("the queue at %s is not its own", l.Waiter)
				}
			}
			if q.Heaviest.Holder.Function != "conn.flush" || q.Queue().Taker != "pool.get" || q.Delay != delay || q.Released != delay || len(q.Before) != 1 {
				t.Errorf("one chain: %+v", q)
			}
		})
	}
}

// TestLongChain: of three locks in a row the last is what keeps the others; where each waits for the other there is no last.
func TestLongChain(t *testing.T) {
	row := func(name, next string) facts.Lock {
		return facts.Lock{
			Side: unpark.RequestPath, Type: "sync.Mutex", Waiter: at(name, 10), Holder: at(name, 30), Delay: 9, Count: 500,
			WaiterAll:   lines([]string{"sync.(*Mutex).Lock", name, next, "app.ask"}, 1, 10, 20, 9),
			HolderAll:   lines([]string{"sync.(*Mutex).Unlock", name, "app.ask"}, 1, 30, 9),
			Utilization: unpark.Num(0.9),
		}
	}
	ev := loaded()
	ev.Locks = []facts.Lock{row("first", "app.x"), row("second", "first"), row("third", "second")}
	if all := model.New(ev).Locks; len(all) != 1 || all[0].Heaviest.Holder.Function != "third" || len(all[0].Before) != 2 || all[0].Delay != 27 {
		t.Errorf("a row of three: %+v", all)
	}
	ev.Locks = []facts.Lock{row("first", "second"), row("second", "first")}
	if all := model.New(ev).Locks; len(all) != 2 {
		t.Errorf("a ring: %+v", all)
	}
}

// TestHeldBeside: a lock that is taken and let go while its holder has another one is held for the same work, where it is for most of
// that time.
func TestHeldBeside(t *testing.T) {
	outer := facts.Lock{
		Side: unpark.RequestPath, Type: "sync.Mutex", Waiter: at("conn.send", 10), Holder: at("conn.send", 90), Delay: 9, Count: 500,
		WaiterAll:   lines([]string{"sync.(*Mutex).Lock", "conn.send", "app.ask"}, 1, 10, 9),
		HolderAll:   lines([]string{"sync.(*Mutex).Unlock", "conn.send", "app.ask"}, 1, 90, 9),
		Utilization: unpark.Num(0.9),
	}
	for name, c := range map[string]struct {
		from, to int
		held     float64
		one      bool
	}{
		"for most of the hold": {80, 85, 0.8, true},
		"for a little of it":   {80, 85, 0.2, false},
		"after it":             {91, 95, 0.8, false},
		"longer than it":       {80, 95, 0.8, false},
	} {
		inner := outer
		inner.Waiter, inner.Holder, inner.Delay, inner.Utilization = at("conn.send", c.from), at("conn.send", c.to), 2, unpark.Num(c.held)
		inner.WaiterAll = lines([]string{"sync.(*Mutex).Lock", "conn.send", "app.ask"}, 1, c.from, 9)
		inner.HolderAll = lines([]string{"sync.(*Mutex).Unlock", "conn.send", "app.ask"}, 1, c.to, 9)
		ev := loaded()
		ev.Locks = []facts.Lock{outer, inner}
		all := model.New(ev).Locks
		if one := len(all) == 1 && len(all[0].Beside) == 1 && len(all[0].Before) == 0 && all[0].Heaviest.Holder.Line == 90 && all[0].Delay == 11; one != c.one {
			t.Errorf("%s: %+v", name, all)
		}
	}
}

// TestCovered: what a function computes under a lock is known by the lines at which it takes and lets it go; where it never waits to take
// it, requests that are always under way say the least that it can be.
func TestCovered(t *testing.T) {
	for name, c := range map[string]struct {
		taken     bool // it was met taking the lock
		mode      unpark.Mode
		delay     float64 // s of 10, of the one request that is under way on average
		held      float64 // CPU, of 4 s
		low, high float64
	}{
		"by its lines":                           {true, unpark.Constant, 1, 3, 0.75, 0.75},
		"not met, and all requests wait":         {false, unpark.Closed, 8, 4, 0.99, 1},
		"not met, and a quarter of them waits":   {false, unpark.Closed, 2, 4, 0.24, 0.26},
		"not met, and any number may come":       {false, unpark.Constant, 8, 4, 0, 0},
		"all wait, and it does half of it after": {false, unpark.Closed, 8, 2, 0.49, 0.5},
	} {
		ev := loaded()
		ev.Window.Load.Mode = c.mode
		l := connLock("conn.add", 46, c.delay)
		l.Utilization, l.HolderCPU, l.HeldCPU = unpark.Num(0.8), 4, c.held
		ev.Locks = []facts.Lock{l}
		if c.taken {
			own := connLock("conn.flush", 0, 0.01)
			own.Waiter, own.WaiterAll = at("conn.flush", 20), lines([]string{"sync.(*Mutex).Lock", "conn.flush", "app.flusher"}, 1, 20, 9)
			ev.Locks = append(ev.Locks, own)
		}
		m := model.New(ev)
		if got := m.Locks[0].Covered(m); got < c.low || got > c.high {
			t.Errorf("%s: %v, want %v to %v", name, got, c.low, c.high)
		}
	}
}
