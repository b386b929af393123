package evidence

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/units"
)

// notices says what a reader must know beside the figures.
type notices struct {
	*profiles
	ev  facts.Evidence
	out []unpark.Notice
}

func (n *notices) add(code, cure, format string, args ...any) {
	n.out = append(n.out, unpark.Notice{Code: code, Message: fmt.Sprintf(format, args...), Cure: cure})
}

// noteCoverage says what is missing in what was captured.
func (n *notices) noteCoverage() {
	for _, kind := range unpark.Kinds() {
		c := n.ev.Coverage[kind]
		if c.Lost > 0 {
			all, cure := c.Lost+c.Files, "look at the notes of windows[].profiles; figures of this kind are of the other processes only"
			if known := len(n.in.Window.Processes); known > 0 { // of one process a reading may fail and others be there
				all = min(all, known)
			}
			if all == c.Lost {
				cure = "look at the notes of windows[].profiles"
			}
			n.add("profiles-lost", cure, "The %s profile of %d of %s could not be used.", kind, c.Lost, unpark.Counted(int64(all), "process"))
		}
		if p := n.merged[kind]; p != nil && p.Clamped() > 0 {
			n.add("readings-shrank", "take the window again while no process restarts",
				"%d values of the %s profile were smaller at the end of the window than at its start: the two readings are not of the same process.", p.Clamped(), kind)
		}
	}
	if n.seconds <= 0 && n.counts() {
		n.add("no-interval", "capture over an interval (?seconds=)", "The profiles do not say how long they were taken: totals are known, rates are not.")
	}
	if dumps := len(n.instants); dumps < minSnapshots && n.ev.Coverage[unpark.KindGoroutine].Offered {
		n.add("few-goroutine-dumps", "capture the goroutine profile several times within the window",
			"Of %s alone, waits on the network, on files and in sleep, and waits that did not end, are not known well.", unpark.Counted(int64(dumps), "goroutine dump"))
	}
}

// counts reports whether a profile is of an interval, and not of an instant.
func (n *notices) counts() bool {
	for kind := range n.merged {
		if kind.Reading() != unpark.Snapshot {
			return true
		}
	}
	return len(n.merged) == 0
}

// noteHarness says that the clients are in the process that they ask.
func (n *notices) noteHarness() {
	n.add("client-in-process", "for CPU per request, and for waits at connections, run the clients in a process of their own",
		"The harness's workers and the service that answers them are one process: what a worker waits for an answer is the time that a request takes, and not a wait for another service. The CPU is that of both.")
}

// notePeers says of which reads it is not known what they wait for.
func (n *notices) notePeers(t takeover) {
	var names []string
	for function, p := range t.peers {
		if p == unclear {
			names = append(names, function)
		}
	}
	if len(names) == 0 {
		return
	}
	slices.Sort(names)
	n.add("reads-of-unknown-peer", "look at which side dials: a connection that was taken over (http.Hijacker) waits for its client, any other for another service",
		"Handlers read connections in %s without net/http watching their clients, as after a Hijack: whether they wait for the next message of a client or for another service is not known, so these waits are left out.",
		strings.Join(names, ", "))
}

// noteContention compares the two ends of contention on application locks.
func (n *notices) noteContention() {
	if !n.has(unpark.KindBlock) || !n.has(unpark.KindMutex) {
		return
	}
	waited, released := total(ends(n.of(unpark.KindBlock))), total(ends(n.of(unpark.KindMutex)))
	if max(waited, released) < minContention*max(n.seconds, 1) {
		return
	}
	if ratio := released / waited; waited == 0 || ratio < agreeLow || ratio > agreeHigh {
		cure := "take both over the same interval, at a block rate of 1 ms or less and a mutex fraction of 1"
		if ratio < agreeLow {
			// runtime/sema.go, semaRoot.dequeue: a queue whose head came before the
			// fraction was set is not charged until it has drained.
			cure = "set the mutex fraction before there is load: switched on behind a queue that never drains, the runtime charges no unlocker; believe the block profile"
			if len(n.in.Target.ByNumber()) > 0 {
				cure = "believe the block profile, or have unpark run --pid send the load, which sets the fraction before it: switched on behind a queue that never drains, the runtime charges no unlocker"
			}
		}
		n.add("block-mutex-disagree", cure,
			"Waiters lost %s to locks by the block profile, unlockers ended %s of waiting by the mutex profile: over one interval these agree within a factor of 0.7 to 1.5.",
			units.Say(waited, "s"), units.Say(released, "s"))
	}
}

// noteCPU says when the CPU profile is thin, disturbed or not the whole.
func (n *notices) noteCPU() {
	if !n.has(unpark.KindCPU) {
		return
	}
	var samples float64
	for _, s := range n.stacks[unpark.KindCPU] {
		samples += s.count
	}
	sampled, observer := n.ev.CPU.Sampled.Or(0), n.ev.CPU.Observer.Or(0)
	if samples < fewSamples {
		n.add("few-cpu-samples", "take a longer window, or more load", "The CPU profile holds %.0f samples: shares of it are chance.", samples)
		return
	}
	capacity := n.ev.CPU.Allowed.Or(1) * n.seconds
	if observer > observerShare*(sampled+observer) && observer > observerCapacity*capacity {
		n.add("observer-cost", "capture fewer kinds at once, or dump goroutines less often",
			"Profiling took %.0f %% of the target's CPU within the window; it is not part of the figures, but it was not free.", 100*observer/(sampled+observer))
	}
	used := 0.0
	for _, p := range n.in.Window.Processes {
		used += p.Cores.Or(math.NaN()) * n.seconds
	}
	for _, p := range n.in.Window.Asked() {
		used -= p.Cores.Or(0) * n.seconds // no profile is of it
	}
	if ratio := (sampled + observer) / used; used > idle*capacity && (ratio < agreeLow || ratio > agreeHigh) {
		n.add("cpu-disagree", "prefer the absolute figures of /proc; shares of the profile still hold",
			"The CPU profile holds %s, the operating system counted %s over the same window.", units.Say(sampled+observer, "s"), units.Say(used, "s"))
	}
}
