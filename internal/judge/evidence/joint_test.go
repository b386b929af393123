package evidence

import (
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/exectrace"
	"github.com/unpark-go/unpark/internal/measure/profile"
)

// One mutex that is taken by a method and by a function: by their names they are two locks.
func TestLocksAreJoinedByTraces(t *testing.T) {
	lock, unlock := "sync.(*Mutex).Lock ", "sync.(*Mutex).Unlock "
	block := []made{{lock + "main.(*db).auth@10" + serve, 29, 290}, {lock + "main.within@20" + serve, 8, 80}}
	edges := [][2]int{{0, 3}, {1, 2}, {1, 3}} // waiter and holder: places of the list below
	for _, c := range []struct {
		name  string
		mutex []made
		edges [][2]int
		state exectrace.State
		want  string // who holds what auth waits for
	}{
		{"both ends in both functions", []made{{unlock + "main.within@24" + serve, 32, 320}, {unlock + "main.(*db).auth@12" + serve, 4, 40}}, edges, exectrace.Lock, "main.within"},
		{"no trace", []made{{unlock + "main.within@24" + serve, 32, 320}, {unlock + "main.(*db).auth@12" + serve, 4, 40}}, nil, exectrace.Lock, ""},
		{"waits for something else", []made{{unlock + "main.within@24" + serve, 32, 320}, {unlock + "main.(*db).auth@12" + serve, 4, 40}}, edges, exectrace.Channel, ""},
		{"the delays are of more than that", []made{{unlock + "main.within@24" + serve, 70, 320}, {unlock + "main.(*db).auth@12" + serve, 4, 40}}, edges, exectrace.Lock, ""},
		{"no holder has most of it", []made{{unlock + "main.within@24" + serve, 19, 320}, {unlock + "main.(*db).auth@12" + serve, 18, 40}}, edges, exectrace.Lock, "main.(*db).auth"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newProfiles(Input{Window: window(10), Profiles: single(profileOf(t, unpark.KindBlock, block...), profileOf(t, unpark.KindMutex, c.mutex...))})
			waiters, holders := ends(p.of(unpark.KindBlock)), ends(p.of(unpark.KindMutex))
			ts := &traces{all: []*exectrace.Trace{{}}, spots: [][]spot{{}}}
			for _, e := range append(waiters, holders...) {
				ts.spots[0] = append(ts.spots[0], spot{site: e.site, label: profile.Label{Side: unpark.RequestPath}})
			}
			places := map[int]int{10: 0, 20: 1, 12: 2, 24: 3}
			// Ends are in order of their delays.
			number := make([]int32, len(places))
			for i, s := range ts.spots[0] {
				number[places[s.site.Line]] = int32(i)
			}
			for _, e := range c.edges {
				ts.all[0].Edges = append(ts.all[0].Edges, exectrace.Edge{State: c.state, Waiter: number[e[0]], Holder: number[e[1]]})
			}
			got := ""
			for _, q := range pairUp(waiters, holders, jointOf(ts)) {
				if q.waiter != nil && q.waiter.site.Line == 10 && q.holder != nil {
					got = q.holder.site.Function
				}
			}
			if got != c.want {
				t.Errorf("auth waits for %q, want %q", got, c.want)
			}
		})
	}
}

// Functions of one type that take its lock in turns, none for most of the time, share it; those that agree with themselves
// may each have one of their own.
func TestLocksThatAreShared(t *testing.T) {
	lock, unlock := "sync.(*Mutex).Lock ", "sync.(*Mutex).Unlock "
	block := []made{{lock + "main.(*log).line@10" + serve, 17, 170}, {lock + "main.(*log).request@30" + serve, 4, 40}}
	for _, c := range []struct {
		name   string
		mutex  []made
		shared bool
	}{
		{"let in by both", []made{{unlock + "main.(*log).request@33" + serve, 11.5, 110}, {unlock + "main.(*log).line@12" + serve, 9.8, 98}}, true},
		{"each by itself", []made{{unlock + "main.(*log).request@33" + serve, 4.2, 40}, {unlock + "main.(*log).line@12" + serve, 16, 160}}, false},
		{"sums that disagree", []made{{unlock + "main.(*log).request@33" + serve, 40, 110}, {unlock + "main.(*log).line@12" + serve, 30, 98}}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			ev, _, _ := Reduce(Input{Window: window(10), Profiles: single(profileOf(t, unpark.KindBlock, block...), profileOf(t, unpark.KindMutex, c.mutex...))})
			a, b := find(ev.Locks, "main.(*log).line"), find(ev.Locks, "main.(*log).request")
			if a == nil || b == nil {
				t.Fatalf("locks %+v", ev.Locks)
			}
			if got := a.Shared != "" && a.Shared == b.Shared; got != c.shared || !c.shared && a.Shared+b.Shared != "" {
				t.Errorf("shared as %q and %q, want one: %v", a.Shared, b.Shared, c.shared)
			}
		})
	}
}
