package exectrace

import (
	"cmp"
	"container/heap"
	"math/rand/v2"
	"slices"
)

// keeper counts requests and keeps the slowest and a fair sample of them whole.
type keeper struct {
	most   int
	out    Requests
	slow   slowest
	random *rand.Rand
}

func newKeeper(most int) keeper {
	return keeper{most: most, random: rand.New(rand.NewPCG(1, 1))} // the same trace gives the same sample
}

// keep takes a request that has ended, and reports whether it holds on to it.
func (k *keeper) keep(r *request) bool {
	o := &k.out
	o.Count++
	o.Wall.add(r.Wall)
	if r.Before > 0 {
		o.Before.add(r.Before)
	}
	var ran int64
	for _, s := range r.Spent {
		o.Spent[s.State] += s.Time
		if s.State == Running {
			ran += s.Time
		}
	}
	o.Ran.add(ran)
	kept := false
	switch {
	case len(k.slow) < k.most:
		heap.Push(&k.slow, r.Request)
		kept = true
	case r.Wall > k.slow[0].Wall:
		k.slow[0] = r.Request
		heap.Fix(&k.slow, 0)
		kept = true
	}
	// Vitter's algorithm R.
	if len(o.Sample) < k.most {
		o.Sample = append(o.Sample, r.Request)
		return true
	}
	if i := k.random.Int64N(o.Count); i < int64(k.most) {
		o.Sample[i] = r.Request
		return true
	}
	return kept
}

func (k *keeper) requests() Requests {
	out := k.out
	out.Slowest = slices.SortedFunc(slices.Values(k.slow), func(a, b Request) int {
		return cmp.Or(cmp.Compare(b.Wall, a.Wall), cmp.Compare(a.Start, b.Start))
	})
	return out
}

// slowest is a heap, the fastest on top.
type slowest []Request

func (s slowest) Len() int           { return len(s) }
func (s slowest) Less(i, j int) bool { return s[i].Wall < s[j].Wall }
func (s slowest) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

// Push and Pop are of container/heap.
func (s *slowest) Push(x any) { *s = append(*s, x.(Request)) }

// Pop is of container/heap.
func (s *slowest) Pop() any {
	last := len(*s) - 1
	x := (*s)[last]
	*s = (*s)[:last]
	return x
}
