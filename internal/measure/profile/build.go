package profile

import (
	"fmt"
	"hash/maphash"
	"slices"
	"sort"
	"strings"
	"unique"

	"github.com/unpark-go/unpark"
)

// builder adds samples to a profile. Samples with the same stack (function, file
// and line of every frame) and the same labels become one.
type builder struct {
	p      *Profile
	frames map[unique.Handle[frame]]uint32
	sites  map[frame]uint32 // the same by what is interned, where profiles of one program are read into one; nil else
	labels map[string]uint32
	index  map[uint64]uint32 // hash of a sample's key to the last sample that has it, plus one
	chain  []uint32          // for each sample the one before with the same hash, plus one
	seed   maphash.Seed
	key    []byte
}

// newBuilder returns a builder for about so many distinct frames and samples.
func newBuilder(p *Profile, frames, samples int) *builder {
	return &builder{
		p:      p,
		frames: make(map[unique.Handle[frame]]uint32, frames),
		labels: make(map[string]uint32),
		index:  make(map[uint64]uint32, samples),
		seed:   maphash.MakeSeed(),
	}
}

// done gives back what the profile's slices have too much: a run holds the
// profiles of many processes at once.
func (b *builder) done() {
	p := b.p
	p.frames, p.stacks = slices.Clone(p.frames), slices.Clone(p.stacks)
	p.samples, p.values = slices.Clone(p.samples), slices.Clone(p.values)
}

// frame returns the profile's number of an interned frame.
func (b *builder) frame(h unique.Handle[frame]) uint32 {
	n, ok := b.frames[h]
	if !ok {
		n = uint32(len(b.p.frames))
		b.frames[h] = n
		b.p.frames = append(b.p.frames, h)
	}
	return n
}

// intern returns the profile's number of a frame. That the next profile of the same program has it again is seen without
// asking the table of the whole program.
func (b *builder) intern(f frame) uint32 {
	if n, ok := b.sites[f]; ok {
		return n
	}
	h := unique.Make(f)
	n := b.frame(h)
	if b.sites != nil {
		b.sites[h.Value()] = n // whose strings are its own, not parts of a file
	}
	return n
}

// label returns the profile's number of a label set.
func (b *builder) label(s labelSet) uint32 {
	key := s.key()
	n, ok := b.labels[key]
	if !ok {
		n = uint32(len(b.p.labels))
		b.labels[key] = n
		b.p.labels = append(b.p.labels, s)
	}
	return n
}

// sample returns the number of the sample with this stack and label set, adding
// an empty one when there is none. The stack is copied.
func (b *builder) sample(stack []uint32, labels uint32) int {
	i, hash := b.find(stack, labels)
	if i >= 0 {
		return i
	}
	p := b.p
	p.samples = append(p.samples, record{uint32(len(p.stacks)), uint32(len(stack)), labels})
	p.stacks = append(p.stacks, stack...)
	p.values = append(p.values, make([]int64, len(p.types))...)
	b.chain = append(b.chain, b.index[hash])
	b.index[hash] = uint32(len(p.samples))
	return len(p.samples) - 1
}

// find returns the number of a sample, −1 when there is none, and its hash.
func (b *builder) find(stack []uint32, labels uint32) (int, uint64) {
	b.key = b.key[:0]
	for _, f := range stack {
		b.key = append(b.key, byte(f), byte(f>>8), byte(f>>16), byte(f>>24))
	}
	b.key = append(b.key, byte(labels), byte(labels>>8), byte(labels>>16), byte(labels>>24))
	hash := maphash.Bytes(b.seed, b.key)
	for i := b.index[hash]; i != 0; i = b.chain[i-1] {
		r := b.p.samples[i-1]
		if r.labels == labels && equal(b.p.stacks[r.off:r.off+r.n], stack) {
			return int(i - 1), hash
		}
	}
	return -1, hash
}

func equal(a, b []uint32) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// add adds the samples of q, whose value types are joined by name, times sign.
func (b *builder) add(q *Profile, sign int64) {
	frames := make([]uint32, len(q.frames))
	for i, h := range q.frames {
		frames[i] = b.frame(h)
	}
	labels := make([]uint32, len(q.labels))
	for i, s := range q.labels {
		labels[i] = b.label(s)
	}
	types := b.align(q.types)
	var stack []uint32
	for i, r := range q.samples {
		stack = stack[:0]
		for _, f := range q.stack(i) {
			stack = append(stack, frames[f])
		}
		at := b.sample(stack, labels[r.labels]) * len(b.p.types)
		for j, t := range types {
			if t >= 0 {
				b.p.values[at+t] += sign * q.values[i*len(q.types)+j]
			}
		}
	}
}

// align returns, for each value type, its place in the builder's profile; −1 for a type that the first profile did not
// have.
func (b *builder) align(types []valueType) []int {
	out := make([]int, len(types))
	for i, t := range types {
		out[i] = -1
		for j, u := range b.p.types {
			if t == u {
				out[i] = j
			}
		}
	}
	return out
}

// key is the same for equal label sets.
func (s labelSet) key() string {
	if len(s.text) == 0 && len(s.num) == 0 {
		return ""
	}
	var b strings.Builder
	for _, k := range sortedKeys(s.text) {
		fmt.Fprintf(&b, "t%q=%q", k, s.text[k])
	}
	for _, k := range sortedKeys(s.num) {
		fmt.Fprintf(&b, "n%q=%d%q", k, s.num[k], s.units[k])
	}
	return b.String()
}

// newLabelSet flattens labels: several values of one name are joined by commas.
func newLabelSet(text map[string][]string, num map[string][]int64, units map[string][]string) labelSet {
	s := labelSet{text: text, num: num, units: units}
	if len(text)+len(num) == 0 {
		return labelSet{}
	}
	s.flat = make(map[string]string, len(text)+len(num))
	for k, v := range num {
		s.flat[k] = strings.Trim(strings.ReplaceAll(fmt.Sprint(v), " ", ","), "[]")
	}
	for k, v := range text {
		s.flat[k] = strings.Join(v, ",")
	}
	return s
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// cumulative reports whether a sample value only ever grows in one process.
// inuse_* of an allocs profile do not.
func cumulative(kind unpark.Kind, t valueType) bool {
	switch kind {
	case unpark.KindBlock, unpark.KindMutex, unpark.KindCPU:
		return true
	default:
		return strings.HasPrefix(t.name, "alloc_")
	}
}
