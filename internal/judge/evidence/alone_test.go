package evidence

import (
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/profile"
)

// TestHolderByExclusion: of a lock whose unlocks are charged with nothing, because its queue stood before recording began, the
// goroutine that dumps meet further on in the function is the holder where there is never a second one.
func TestHolderByExclusion(t *testing.T) {
	const (
		lock  = "sync.(*Mutex).Lock main.(*shop).take@40 main.order@12"
		rlock = "sync.(*RWMutex).RLock main.(*shop).take@40 main.order@12"
		queue = "sync.runtime_SemacquireMutex " + lock + serve
		sleep = "time.Sleep main.(*shop).take@47 main.order@12" + serve
	)
	dump := func(samples ...made) []*profile.Profile {
		return []*profile.Profile{profileOf(t, unpark.KindGoroutine, samples...)}
	}
	held := dump(made{queue, 15, 0}, made{sleep, 1, 0})
	empty := dump(made{queue, 15, 0}) // the holder runs
	two := dump(made{queue, 14, 0}, made{sleep, 2, 0})
	before := dump(made{queue, 15, 0}, made{"time.Sleep main.(*shop).take@38 main.order@12" + serve, 1, 0})
	reader := dump(made{"sync.runtime_SemacquireRWMutexR " + rlock + serve, 15, 0}, made{sleep, 1, 0})
	times := func(n int, p []*profile.Profile) (out [][]*profile.Profile) {
		for range n {
			out = append(out, p)
		}
		return out
	}
	for _, c := range []struct {
		name, waited string
		dumps        [][]*profile.Profile
		want         string
	}{
		{"one, in each dump", lock, times(8, held), "main.(*shop).take"},
		{"one, in most dumps", lock, append(times(6, held), times(4, empty)...), "main.(*shop).take"},
		{"too few dumps", lock, times(7, held), ""},
		{"mostly none", lock, append(times(3, held), times(7, empty)...), ""},
		{"once two", lock, append(times(9, held), two), ""},
		{"before the lock", lock, times(10, before), ""},
		{"readers, which may hold it together", rlock, times(10, reader), ""},
	} {
		block := profileOf(t, unpark.KindBlock, made{c.waited + serve, 100, 900})
		got := first(Reduce(Input{Window: window(8), Profiles: single(block), Snapshots: c.dumps})).Locks
		if len(got) != 1 || got[0].Holder.Function != c.want {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// TestHolderOfASharedLock: of a lock that two functions take, of which neither lets in most of those that wait, the one that dumps meet further on
// is the holder for both. Where they meet one in either, in turns, each has what it shows.
func TestHolderOfASharedLock(t *testing.T) {
	const (
		put, get = "sync.(*Mutex).Lock main.(*queue).put@40 main.order@12", "sync.(*Mutex).Lock main.(*queue).get@60 main.order@13"
		waits    = "sync.runtime_SemacquireMutex "
		inGet    = "time.Sleep main.(*queue).get@67 main.order@13" + serve
		inPut    = "time.Sleep main.(*queue).put@47 main.order@12" + serve
	)
	dump := func(inside string) []*profile.Profile {
		return []*profile.Profile{profileOf(t, unpark.KindGoroutine, made{waits + put + serve, 10, 0}, made{waits + get + serve, 5, 0}, made{inside, 1, 0})}
	}
	for name, c := range map[string]struct {
		inside   []string // of one dump after the other
		put, get string
	}{
		"one holds it":          {[]string{inGet}, "main.(*queue).get", "main.(*queue).get"},
		"they hold it in turns": {[]string{inGet, inPut}, "main.(*queue).put", "main.(*queue).get"},
	} {
		var dumps [][]*profile.Profile
		for i := range 12 {
			dumps = append(dumps, dump(c.inside[i%len(c.inside)]))
		}
		block := profileOf(t, unpark.KindBlock, made{put + serve, 70, 900}, made{get + serve, 30, 400})
		mutex := profileOf(t, unpark.KindMutex,
			made{"sync.(*Mutex).Unlock main.(*queue).get@70 main.order@13" + serve, 56, 700}, made{"sync.(*Mutex).Unlock main.(*queue).put@50 main.order@12" + serve, 44, 600})
		for _, l := range first(Reduce(Input{Window: window(8), Profiles: single(block, mutex), Snapshots: dumps})).Locks {
			if want := map[string]string{"main.(*queue).put": c.put, "main.(*queue).get": c.get}[l.Waiter.Function]; l.Holder.Function != want {
				t.Errorf("%s: what waits in %s: held by %q, want %q", name, l.Waiter.Function, l.Holder.Function, want)
			}
		}
	}
}
