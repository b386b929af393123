package answers

import "fmt"

// stale finds a value that varies and stands still after: in every start of before it changed each time that a step of one
// kind came, and in after never, at no step. An answer that was kept looks like that.
func stale(m *mask, befores []Series, after Series, steps []Step) string {
	found := ""
	was := make([]map[string][]string, len(befores))
	for i, s := range befores {
		was[i] = histories(m, s, steps)
	}
	is := histories(m, after, steps)
	m.places("$", valueOf(befores[0][0]), func(place string, m *mask, _ any) {
		if found != "" || !m.any || !still(is[place]) {
			return
		}
		for _, step := range []Step{Again, Later, Written} {
			if always(was, place, steps, step) {
				found = fmt.Sprintf("%s: before it changed each time it was asked %s, after it is always %s: it is kept, and must be fresh", place, step, clipped(is[place][0]))
				return
			}
		}
	})
	return found
}

// histories are the values of what is masked, by place, at the steps that are not under load.
func histories(m *mask, s Series, steps []Step) map[string][]string {
	out := map[string][]string{}
	n := 0
	for i, step := range steps {
		if step == UnderLoad {
			continue
		}
		n++
		m.places("$", valueOf(s[i]), func(place string, _ *mask, value any) { out[place] = append(out[place], canonical(value)) })
	}
	for place, values := range out {
		if len(values) != n {
			delete(out, place) // it is not always there
		}
	}
	return out
}

func still(values []string) bool {
	for _, v := range values {
		if v != values[0] {
			return false
		}
	}
	return len(values) > leastPairs
}

// always reports whether a value changed at every step of a kind, in every start.
func always(was []map[string][]string, place string, steps []Step, kind Step) bool {
	for _, start := range was {
		values, pairs, at := start[place], 0, 0
		if values == nil {
			return false
		}
		for _, step := range steps {
			if step == UnderLoad {
				continue
			}
			if step == kind && at > 0 {
				pairs++
				if values[at] == values[at-1] {
					return false
				}
			}
			at++
		}
		if pairs < leastPairs {
			return false
		}
	}
	return true
}
