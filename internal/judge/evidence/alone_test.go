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
