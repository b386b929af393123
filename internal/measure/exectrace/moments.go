package exectrace

import "slices"

// mostMoments bounds how many intervals are kept: five minutes of fiftieths of a second. What is behind them is not told.
const mostMoments = 15_000

// moments sums what all goroutines did by intervals of equal length, so that what any stretch of the trace holds can be told without
// reading it again. A state costs the same however many intervals it lasts.
type moments struct {
	length  int64 // ns; 0: none are kept
	spent   map[moment]*timeline
	sampled map[int32][]int32 // by stack, how many samples of the CPU are in each interval
}

type moment struct {
	state State
	stack int32
}

// timeline is the time of a state at a stack. An interval that a goroutine spends in it from end to end is in steps, as one more from it on
// than in the one before; what is less is in part.
type timeline struct {
	part  []int64
	steps []int32
}

func (m *moments) add(in State, stack int32, from, to int64) {
	if m.length <= 0 || to <= from || from < 0 || from/m.length >= mostMoments {
		return
	}
	to = min(to, mostMoments*m.length)
	t := m.spent[moment{in, stack}]
	if t == nil {
		t = &timeline{}
		m.spent[moment{in, stack}] = t
	}
	first, last := int(from/m.length), int(to/m.length)
	t.part, t.steps = reach(t.part, last), reach(t.steps, last)
	if first == last {
		t.part[first] += to - from
		return
	}
	t.part[first] += int64(first+1)*m.length - from
	t.part[last] += to - int64(last)*m.length
	t.steps[first+1]++
	t.steps[last]--
}

func (m *moments) sample(stack int32, at int64) {
	if i := at / m.length; at >= 0 && i < mostMoments {
		m.sampled[stack] = reach(m.sampled[stack], int(i))
		m.sampled[stack][i]++
	}
}

// reach makes a column long enough for an index.
func reach[T any](column []T, i int) []T {
	if n := i + 1 - len(column); n > 0 {
		column = append(column, make([]T, n)...)
	}
	return column
}

// between sums a timeline over the intervals from one up to another.
func (t *timeline) between(from, to int, length int64) int64 {
	var sum, whole int64
	for i := range min(to, len(t.part)) {
		whole += int64(t.steps[i])
		if i >= from {
			sum += t.part[i] + whole*length
		}
	}
	return sum
}

// Between returns what all goroutines did from one instant to another, in seconds since the trace began, widened to whole intervals of
// Options.Moment: the time of each state at each stack, the longest first. The time on processors is shared among the stacks that were
// sampled there, which there are where a CPU profile was recorded meanwhile; without a sample it has no stack. None without Options.Moment.
func (t *Trace) Between(from, to float64) []Spent {
	m := t.moments
	if m.length <= 0 || !(to > from) {
		return nil
	}
	first := max(0, int(from*1e9/float64(m.length)+1e-6))
	last := min(mostMoments, int(to*1e9/float64(m.length)+1-1e-6))
	var out []Spent
	var ran int64
	for at, line := range m.spent {
		switch d := line.between(first, last, m.length); {
		case d <= 0:
		case at.state == Running:
			ran += d
		default:
			out = append(out, Spent{at.state, at.stack, d})
		}
	}
	samples, all := map[int32]int64{}, int64(0)
	for stack, counts := range m.sampled {
		for i := first; i < min(last, len(counts)); i++ {
			samples[stack] += int64(counts[i])
			all += int64(counts[i])
		}
	}
	if all == 0 && ran > 0 {
		out = append(out, Spent{Running, 0, ran})
	}
	for stack, n := range samples {
		if d := int64(float64(ran) * float64(n) / float64(all)); d > 0 {
			out = append(out, Spent{Running, stack, d})
		}
	}
	slices.SortFunc(out, func(a, b Spent) int {
		switch {
		case a.Time != b.Time:
			return int(min(max(b.Time-a.Time, -1), 1))
		case a.Stack != b.Stack:
			return int(a.Stack - b.Stack)
		}
		return int(a.State) - int(b.State)
	})
	return out
}
