package profile

import (
	"slices"
	"strings"
	"time"
	"unique"

	"github.com/unpark-go/unpark"
)

// Profile is one profile kind of one or several processes. It is not changed
// after it was made, so it may be read by several goroutines. The zero value is
// empty and of no kind.
type Profile struct {
	kind          unpark.Kind
	types         []valueType
	defaultType   string
	periodType    valueType
	period        int64
	start         time.Time
	duration      time.Duration
	binary, build string // of the first mapping: the program
	clamped       int
	others        int    // profiles that were merged into it, beside its first
	drawn         string // the comment that says how many of all it was made from
	userOnly      bool   // time inside of the kernel is not in it

	frames  []unique.Handle[frame]
	stacks  []uint32 // frame numbers, sample after sample, leaf first
	samples []record
	values  []int64 // len(types) for each sample
	labels  []labelSet
}

// valueType names one value of a sample as the profile does ("delay",
// "nanoseconds").
type valueType struct{ name, unit string }

// frame is what the program interns. Inlined says that the frame was inlined
// into the next one of its stack.
type frame struct {
	site    unpark.Site
	start   int64 // first line of the function
	inlined bool
}

// record is one sample: its part of stacks and its label set.
type record struct {
	off, n, labels uint32
}

// labelSet is the labels of a sample, as the profile holds them and flat.
type labelSet struct {
	text  map[string][]string
	num   map[string][]int64
	units map[string][]string
	flat  map[string]string
}

// Sample is one distinct stack with its labels. Value is [unpark.Kind.Value] in
// [unpark.Kind.Unit]; Count is the events behind it (samples, contentions,
// objects). The stack is leaf first with inlined calls expanded. Stack and Labels
// are shared with other samples and must not be changed.
type Sample struct {
	Stack  []unpark.Site
	Value  float64
	Count  float64
	Labels map[string]string
}

// Kind returns what the profile is of.
func (p *Profile) Kind() unpark.Kind { return p.kind }

// Duration returns the interval that the profile covers: what it says itself, or
// for [Profile.Sub] the time between the readings; 0 when neither is known. For
// merged profiles it is the longest of them, since processes run side by side.
func (p *Profile) Duration() time.Duration { return p.duration }

// Processes returns how many profiles it was merged of, each of one process; 1 of one that was not merged.
func (p *Profile) Processes() int { return 1 + p.others }

// Clamped returns how many values [Profile.Sub] found smaller in the later
// reading than in the earlier one and took as 0. It is not 0 when the two
// readings are of different processes.
func (p *Profile) Clamped() int { return p.clamped }

// Total returns the sum of all samples' values in [unpark.Kind.Unit].
func (p *Profile) Total() float64 {
	v, _ := p.columns()
	var sum float64
	for i := range p.samples {
		sum += v.of(p, i)
	}
	return sum
}

// Through returns the sum of the values of all stacks that run through a function, in [unpark.Kind.Unit].
func (p *Profile) Through(function string) float64 {
	on := make([]bool, len(p.frames))
	for i, f := range p.frames {
		on[i] = f.Value().site.Function == function
	}
	v, _ := p.columns()
	var sum float64
	for i := range p.samples {
		if slices.ContainsFunc(p.stack(i), func(f uint32) bool { return on[f] }) {
			sum += v.of(p, i)
		}
	}
	return sum
}

// Samples returns every distinct stack, in no particular order.
func (p *Profile) Samples() []Sample {
	value, count := p.columns()
	table := make([]unpark.Site, len(p.frames))
	for i, f := range p.frames {
		table[i] = f.Value().site
	}
	arena := make([]unpark.Site, len(p.stacks))
	for i, f := range p.stacks {
		arena[i] = table[f]
	}
	out := make([]Sample, len(p.samples))
	for i, r := range p.samples {
		out[i] = Sample{
			Stack:  arena[r.off : r.off+r.n : r.off+r.n],
			Value:  value.of(p, i),
			Count:  count.of(p, i),
			Labels: p.labels[r.labels].flat,
		}
	}
	return out
}

// stack returns the frame numbers of a sample, leaf first.
func (p *Profile) stack(i int) []uint32 {
	r := p.samples[i]
	return p.stacks[r.off : r.off+r.n]
}

// column is one value of a sample with the factor to its base unit; index −1 is
// a value that the profile does not have.
type column struct {
	index int
	scale float64
}

func (c column) of(p *Profile, sample int) float64 {
	if c.index < 0 {
		return 0
	}
	return float64(p.values[sample*len(p.types)+c.index]) * c.scale
}

// columns returns the kind's value and the count that goes with it.
func (p *Profile) columns() (value, count column) {
	name := "samples"
	switch p.kind {
	case unpark.KindBlock, unpark.KindMutex:
		name = "contentions"
	case unpark.KindAllocs:
		name = "alloc_objects"
	case unpark.KindHeap:
		name = "inuse_objects"
	case unpark.KindCPU:
	default:
		name = p.kind.Value()
	}
	return p.column(p.kind.Value()), p.column(name)
}

func (p *Profile) column(name string) column {
	for i, t := range p.types {
		if t.name == name {
			return column{i, scale(t.unit)}
		}
	}
	return column{index: -1}
}

// scale returns the factor from a profile's unit to seconds, bytes or counts.
func scale(unit string) float64 {
	switch strings.TrimSuffix(strings.ToLower(unit), "s") {
	case "nanosecond", "n":
		return 1e-9
	case "microsecond", "u":
		return 1e-6
	case "millisecond", "m":
		return 1e-3
	case "kilobyte", "kb":
		return 1 << 10
	case "megabyte", "mb":
		return 1 << 20
	default:
		return 1
	}
}
