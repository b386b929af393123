package exectrace

import "math/bits"

// Durations counts durations in buckets that are at most 1.6 % wide, so that its
// size does not depend on how many there are. The zero value is empty.
type Durations struct {
	counts []int64
	n      int64
	sum    int64
	least  int64
	most   int64
}

// fine is the number of bits after the leading one that tell buckets apart.
const fine = 6

func (d *Durations) add(ns int64) {
	if ns < 0 {
		ns = 0
	}
	b := bucketOf(ns)
	for len(d.counts) <= b {
		d.counts = append(d.counts, make([]int64, 1<<fine)...)
	}
	if d.n == 0 || ns < d.least {
		d.least = ns
	}
	d.counts[b]++
	d.n++
	d.sum += ns
	d.most = max(d.most, ns)
}

func bucketOf(ns int64) int {
	if ns < 1<<fine {
		return int(ns)
	}
	shift := bits.Len64(uint64(ns)) - 1 - fine
	return (shift+1)<<fine + int(ns>>shift) - 1<<fine
}

// upper returns the largest duration of a bucket.
func upper(b int) int64 {
	if b < 1<<fine {
		return int64(b)
	}
	shift := b>>fine - 1
	return (int64(b&(1<<fine-1))+1<<fine+1)<<shift - 1
}

// N returns how many durations were added.
func (d *Durations) N() int64 { return d.n }

// Sum returns their sum in ns, Max the longest and Min the shortest.
func (d *Durations) Sum() int64 { return d.sum }

// Max returns the longest duration in ns.
func (d *Durations) Max() int64 { return d.most }

// Min returns the shortest duration in ns.
func (d *Durations) Min() int64 { return d.least }

// Quantile returns the duration in ns that a share q of all does not exceed; 0
// when there is none.
func (d *Durations) Quantile(q float64) int64 {
	if d.n == 0 {
		return 0
	}
	rank := int64(q * float64(d.n))
	for b, c := range d.counts {
		if rank -= c; rank < 0 {
			return min(upper(b), d.most)
		}
	}
	return d.most
}

// Above returns how many durations are longer than ns, their sum in ns, and the one
// that a random moment of them falls into: half the sum is in longer ones. All are
// right to the width of a bucket.
func (d *Durations) Above(ns int64) (n, sum, at int64) {
	first := len(d.counts)
	for b, c := range d.counts {
		if at := min(upper(b), d.most); at > ns {
			first = min(first, b)
			n += c
			sum += c * at
		}
	}
	var half int64
	for b := first; b < len(d.counts) && half <= sum/2; b++ {
		if at = min(upper(b), d.most); d.counts[b] > 0 {
			half += d.counts[b] * at
		}
	}
	return n, sum, at
}

// Merge adds the durations of another.
func (d *Durations) Merge(o *Durations) {
	if o.n == 0 {
		return
	}
	for len(d.counts) < len(o.counts) {
		d.counts = append(d.counts, 0)
	}
	for b, c := range o.counts {
		d.counts[b] += c
	}
	if d.n == 0 || o.least < d.least {
		d.least = o.least
	}
	d.n += o.n
	d.sum += o.sum
	d.most = max(d.most, o.most)
}
