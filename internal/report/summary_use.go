package report

import (
	"slices"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/units"
)

// cpuParts says how many processors the target, the generator and the machine
// used.
func cpuParts(r unpark.Run, w unpark.Window) []string {
	if loose(w) {
		return nil
	}
	var out []string
	cores := total(w.Processes, func(p unpark.Process) unpark.Number { return p.Cores })
	target := "target " + cores.text("cores")
	if allowed, ok := r.Target.Cores(r.Host, w).Get(); ok && cores.known > 0 {
		target = "target " + strings.TrimSuffix(cores.text("cores"), " cores") + " of " + units.Say(allowed, "cores")
	}
	out = append(out, target)
	if w.Load != nil {
		out = append(out, "generator "+units.Number(w.Load.GeneratorCPU, "cores"))
	}
	if busy, ok := w.Machine.Busy.Get(); ok {
		out = append(out, "machine "+strings.TrimSuffix(units.Figure(busy, "cores"), " cores")+" of "+units.Say(float64(w.Machine.CPUs), "cores"))
	}
	if steal := w.Machine.Steal.Or(0); steal >= 0.01 {
		out = append(out, "stolen "+units.Figure(steal, "cores"))
	}
	return out
}

// captureParts says what looking cost.
func captureParts(w unpark.Window) []string {
	var out []string
	o := w.Observer
	if v, ok := o.Throughput.Get(); ok {
		out = append(out, "throughput "+units.Change(v)+" while profiled")
	}
	if o.CPU > 0 || o.Wait > 0 {
		out = append(out, "its own "+units.Figure(o.CPU, "s")+" CPU and "+units.Figure(o.Wait, "s")+" waiting left out")
	}
	if v, ok := o.Reader.Get(); ok {
		out = append(out, "the reader beside it used "+units.Figure(v, "s")+" of CPU")
	}
	if cost := traceCost(o); len(cost) > 0 {
		out = append(out, "in the trace's own stretch "+strings.Join(cost, ", "))
	}
	if drawn := drawnParts(w); drawn != "" {
		out = append(out, drawn)
	}
	if recorded := recordedPart(w); recorded != "" {
		out = append(out, recorded)
	}
	if len(out) == 0 && len(w.Profiles) > 0 && !loose(w) {
		return []string{"cost " + units.Unknown}
	}
	return out
}

// recordedPart says of which kinds a part of the window was recorded, and for how long; empty where there are none. Of several
// processes it is the shortest.
func recordedPart(w unpark.Window) string {
	var kinds []string
	least, all := 0.0, 0.0
	for _, k := range []unpark.Kind{unpark.KindBlock, unpark.KindMutex} {
		part := w.Part(k)
		if part == 1 {
			continue
		}
		if least == 0 || part*w.Seconds() < least {
			least = part * w.Seconds()
		}
		kinds, all = append(kinds, string(k)), w.Seconds()
	}
	if len(kinds) == 0 {
		return ""
	}
	return strings.Join(kinds, " and ") + " recorded for " + units.Say(least, "s") + " of " + units.Say(all, "s") + ", which had events enough"
}

// drawnParts says what goroutine profiles rest on that do not have all goroutines, because they are a sample, or because
// some changed while they were read; empty where all have.
func drawnParts(w unpark.Window) string {
	for _, p := range w.Processes {
		if s := p.Snapshots; s != nil && s.Drawn.Known() {
			part, why := s.Drawn, " drawn by chance"
			if s.Drawn.Or(0) >= s.Of.Or(0) {
				part, why = s.Moved, " changed while they were read"
			}
			return "goroutines " + strconv.Itoa(s.Count) + " times, " + units.Number(part, "count") + " of " + units.Number(s.Of, "count") + why
		}
	}
	return ""
}

// loose reports whether a window is files that were given, of which no process and no
// load is known.
func loose(w unpark.Window) bool {
	return len(w.Processes) == 0 && w.Load == nil && len(w.Profiles) > 0
}

// traceCost says what the execution trace cost, as far as it is known.
func traceCost(o unpark.Observer) []string {
	var out []string
	if v, ok := o.TraceThroughput.Get(); ok {
		out = append(out, "throughput "+units.Change(v))
	}
	if v, ok := o.TraceLatency.Get(); ok {
		out = append(out, "p50 "+units.Change(v))
	}
	return out
}

// coverageParts says which kinds were captured, and which were not.
func coverageParts(w unpark.Window) []string {
	states := map[unpark.Kind]map[unpark.Coverage]int{}
	for _, p := range w.Profiles {
		if states[p.Kind] == nil {
			states[p.Kind] = map[unpark.Coverage]int{}
		}
		states[p.Kind][p.State]++
	}
	var whole, rest []string
	for _, k := range unpark.Kinds() {
		s := states[k]
		present := s[unpark.Present] + s[""]
		switch {
		case present > 0 && present == s[unpark.Present]+s[""]+s[unpark.Off]+s[unpark.Absent]+s[unpark.Bad]:
			whole = append(whole, string(k))
		case present > 0:
			whole = append(whole, string(k)+" (of "+many(int64(present), "process")+")")
		default:
			for _, state := range []unpark.Coverage{unpark.Off, unpark.Bad, unpark.Absent} {
				if s[state] > 0 {
					rest = append(rest, string(k)+" "+string(state))
					break
				}
			}
		}
	}
	if len(whole) > 0 {
		rest = append([]string{strings.Join(whole, ", ")}, rest...)
	}
	return rest
}

func hostParts(h unpark.Host) []string {
	var out []string
	if h.OS != "" {
		out = append(out, escape.Prose(h.OS+"/"+h.Arch))
	}
	if h.CPUs > 0 {
		out = append(out, many(int64(h.CPUs), "CPU"))
	}
	if h.Model != "" {
		out = append(out, escape.Prose(h.Model))
	}
	if h.Memory > 0 {
		out = append(out, units.Figure(h.Memory, "B"))
	}
	return out
}

func processParts(p unpark.Process) []string {
	out := []string{"pid " + strconv.Itoa(p.PID)}
	add := func(label string, n unpark.Number, unit string) {
		if n.Known() {
			out = append(out, label+" "+units.Number(n, unit))
		}
	}
	if p.State != "" && p.State != "whole" {
		out = append(out, escape.Prose(p.State)+" inside the window")
	}
	add("GOMAXPROCS", p.GOMAXPROCS, "count")
	add("threads", p.Threads, "count")
	add("goroutines", p.Goroutines, "count")
	add("RSS", p.RSS, "B")
	add("GC", p.GCShare, "ratio")
	if p.Throttled.Or(0) > 0 {
		add("throttled", p.Throttled, "s")
	}
	return out
}

// sum adds figures of processes of which some may be unknown.
type sum struct {
	value          float64
	known, missing int
}

func total(all []unpark.Process, of func(unpark.Process) unpark.Number) sum {
	var s sum
	for _, p := range all {
		if v, ok := of(p).Get(); ok {
			s.value, s.known = s.value+v, s.known+1
		} else {
			s.missing++
		}
	}
	return s
}

// text prints the sum; "≥" when a part of it is unknown.
func (s sum) text(unit string) string {
	switch {
	case s.known == 0:
		return units.Unknown
	case s.missing > 0:
		return "≥" + units.Figure(s.value, unit)
	default:
		return units.Figure(s.value, unit)
	}
}

func plainCores(n unpark.Number) string {
	v, ok := n.Get()
	if !ok {
		return units.Unknown
	}
	if v == 1 {
		return "1 core"
	}
	return units.Say(v, "cores")
}

// ranges prints processor numbers as "0-3,8".
func ranges(cpus []int) string {
	all := slices.Sorted(slices.Values(cpus))
	var parts []string
	for i := 0; i < len(all); {
		j := i
		for j+1 < len(all) && all[j+1] == all[j]+1 {
			j++
		}
		text := strconv.Itoa(all[i])
		if j > i {
			text += "-" + strconv.Itoa(all[j])
		}
		parts = append(parts, text)
		i = j + 1
	}
	return strings.Join(parts, ",")
}
