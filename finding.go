package unpark

import (
	"path"
	"strconv"
)

// Site is a place in the target's code. Function is a fully qualified Go symbol
// as pprof prints it.
type Site struct {
	Function string `json:"function"`
	File     string `json:"file"`
	Line     int    `json:"line"`
}

// String prints "function file.go:line" with the file's base name.
func (s Site) String() string {
	if s.File == "" {
		return s.Function
	}
	return s.Function + " " + s.Place()
}

// Place prints "file.go:line" with the file's base name, without a line where that is of several.
func (s Site) Place() string {
	switch {
	case s.File == "":
		return ""
	case s.Line == 0:
		return path.Base(s.File)
	}
	return path.Base(s.File) + ":" + strconv.Itoa(s.Line)
}

// IsZero reports that no place is known.
func (s Site) IsZero() bool { return s.Function == "" }

// LimitKind is what binds throughput or latency now.
type LimitKind string

// The limits.
const (
	LimitCPU        LimitKind = "cpu"
	LimitLock       LimitKind = "lock"
	LimitChannel    LimitKind = "channel"
	LimitGC         LimitKind = "gc"
	LimitQuota      LimitKind = "quota"
	LimitPool       LimitKind = "pool"
	LimitIO         LimitKind = "io"
	LimitDownstream LimitKind = "downstream"
	LimitNetwork    LimitKind = "network"
	LimitGenerator  LimitKind = "generator"
	LimitRateLimit  LimitKind = "ratelimit"
	// LimitConnections is a closed loop that has none of the others: each connection asks
	// again as soon as it is answered, and their number is what binds.
	LimitConnections LimitKind = "connections"
	LimitNone        LimitKind = "none"
	LimitUnknown     LimitKind = "unknown"
)

// Limit is the first thing a verdict says.
type Limit struct {
	Kind        LimitKind `json:"kind"`
	Why         string    `json:"why"`
	Ceiling     Quantity  `json:"ceiling"`     // req/s
	Utilization Quantity  `json:"utilization"` // ratio of the binding resource
	// Service is the one of the run's other services in which it binds; empty for the target.
	Service string `json:"service,omitempty"`
}

// Class is what sort of cause a finding is.
type Class string

// The classes.
const (
	ClassLock       Class = "lock"
	ClassChannel    Class = "channel"
	ClassCPU        Class = "cpu"
	ClassAlloc      Class = "alloc"
	ClassGC         Class = "gc"
	ClassSyscall    Class = "syscall"
	ClassIO         Class = "io"
	ClassDownstream Class = "downstream"
	ClassPool       Class = "pool"
	ClassLeak       Class = "leak"
	ClassRateLimit  Class = "ratelimit"
	ClassRecompute  Class = "recompute"
	ClassQuota      Class = "quota"
)

// Classes returns all classes.
func Classes() []Class {
	return []Class{
		ClassLock, ClassChannel, ClassCPU, ClassAlloc, ClassGC, ClassSyscall, ClassIO, ClassDownstream,
		ClassPool, ClassLeak, ClassRateLimit, ClassRecompute, ClassQuota,
	}
}

// Confidence is how much a finding may be trusted.
type Confidence string

// The confidences.
const (
	High   Confidence = "high"
	Medium Confidence = "medium"
	Low    Confidence = "low"
)

// Finding is a named cause.
type Finding struct {
	Rank  int    `json:"rank"`
	Rule  string `json:"rule"`
	Class Class  `json:"class"`
	Title string `json:"title"`
	// Service is the one of the run's other services that it is of; empty for the target.
	Service string `json:"service,omitempty"`
	Site    Site   `json:"site"` // the last line of the application on the way to the cause
	// Culprit is the function that owns the cost, in whichever module: where the way from
	// Site inwards forks or ends. Nil where that is not known.
	Culprit    *Site      `json:"culprit,omitempty"`
	Waiter     *Site      `json:"waiter"` // nil when the cause is no wait
	Holder     *Site      `json:"holder"` // nil when unknown or when nothing is held
	Share      Number     `json:"share"`  // of what the cost is part of; ShareOf says of what
	ShareOf    string     `json:"share_of,omitempty"`
	Confidence Confidence `json:"confidence"`
	Cost       Cost       `json:"cost"`
	Facts      []Fact     `json:"facts"`
	Remedies   []Remedy   `json:"remedies"`
	Prediction Prediction `json:"prediction"`
	// Path is the stack that a reader would open, leaf first, at most 32 sites: fewer end inside of a client or the runtime, before the caller that tells what it is for.
	Path []Site `json:"path,omitempty"`
	// Way is what lies between Site and Culprit, which is its last: outermost first, each
	// with how much of the culprit's cost runs through it, which is more where it forks.
	Way []Part `json:"way,omitempty"`
	// Into is what the culprit calls, as shares of its cost, largest first, at most 3.
	Into []Part `json:"into,omitempty"`
	// From is which lines of the application reach the culprit, as shares of its cost, largest
	// first, at most 3: Site's is the first. Empty where all of it runs through Site.
	From []Part `json:"from,omitempty"`
	// Behind is the functions of modules on the goroutines that requests wait for, by a trace: nearest first, along the chain of waits, at most 8.
	Behind []Site `json:"behind,omitempty"`
	// Experiment is a second prediction; nil when none was asked for.
	Experiment *Experiment `json:"experiment,omitempty"`
}

// Near reports whether two findings are of one class, or of one place: that where the cost
// is, or that where requests wait.
func (f Finding) Near(other Finding) bool {
	return f.Class == other.Class || f.Site.Function == other.Site.Function ||
		f.Waiter != nil && other.Waiter != nil && f.Waiter.Function == other.Waiter.Function
}

// Reach is the part of the culprit's cost that runs through Site: what a change there can take
// away.
func (f Finding) Reach() float64 {
	if len(f.From) == 0 {
		return 1
	}
	return f.From[0].Share
}

// Part is a site with its share of a whole.
type Part struct {
	Site  Site    `json:"site"`
	Share float64 `json:"share"`
}

// Cost is what a finding takes, in absolute units; unknown parts are left out.
type Cost struct {
	MeanWaiters     Quantity `json:"mean_waiters,omitzero"`      // waiters: delay ÷ window
	WaitPerRequest  Quantity `json:"wait_per_request,omitzero"`  // s/req
	CPUPerRequest   Quantity `json:"cpu_per_request,omitzero"`   // s/req
	Cores           Quantity `json:"cores,omitzero"`             // cores
	BytesPerRequest Quantity `json:"bytes_per_request,omitzero"` // B/req
	HoldPerRequest  Quantity `json:"hold_per_request,omitzero"`  // s/req
	Goroutines      Quantity `json:"goroutines,omitzero"`        // count
	GrowthPerSecond Quantity `json:"growth_per_second,omitzero"` // goroutines or bytes per second
	Throttled       Quantity `json:"throttled,omitzero"`         // ratio of the periods in which it ran
}

// Fact is one sourced measurement.
type Fact struct {
	Text   string `json:"text"`
	Value  Number `json:"value"`
	Unit   string `json:"unit"`
	Source string `json:"source"` // the file or measurement it came from: "block.pb.gz", "load", "/proc"
}

// Remedy is one way to fix a finding. Remedies are ordered: try the first one
// first.
type Remedy struct {
	Title string `json:"title"`
	Why   string `json:"why"` // what the run shows, or how it helps
	// When is the condition under which the catalogue's advice applies, and how to check it: nothing says that it holds here.
	When string `json:"when,omitempty"`
	Risk string `json:"risk"`
	// Change is how, in a few lines of Go or as a command; empty where that depends on the
	// code.
	Change string `json:"change,omitempty"`
	// Sources are where it is documented.
	Sources []string `json:"sources,omitempty"`
	// Spares are the functions that requests call no more when it is followed: what they make is made once, and kept. Empty
	// where that is not known.
	Spares []string `json:"spares,omitempty"`
	// Fix is what the finding's prediction is of where this is the first remedy; empty where that is the removal.
	Fix Fix `json:"fix,omitempty"`
}

// Prediction is what fixing a finding by its first remedy would do under the run's own load plan: as a rule, removing it.
// Ratios are after ÷ before: throughput above 1 and latency below 1 are better.
// An unknown ratio means that unpark abstains; Assumptions says why.
type Prediction struct {
	// Fix is what the ratios are of: of the first remedy's own fix where that leaves something; empty where nothing is left.
	Fix         Fix       `json:"fix,omitempty"`
	Throughput  Quantity  `json:"throughput_ratio"`
	P50         Quantity  `json:"p50_ratio"`
	P99         Quantity  `json:"p99_ratio"`
	P99Unsaid   string    `json:"p99_unsaid,omitempty"` // why nothing is said of p99 where something is of throughput, in a few words
	CPUSaved    Quantity  `json:"cpu_saved_s,omitzero"` // s/req; unknown where the finding costs no CPU that is known
	NextLimit   LimitKind `json:"next_limit"`
	Summary     string    `json:"summary,omitempty"` // one sentence for the reader
	Assumptions []string  `json:"assumptions"`
	// Alternatives are fixes that leave something of the finding; none where they are
	// not worth a word, or not known.
	Alternatives []Alternative `json:"alternatives,omitempty"`
}

// LeastGain is the change of a metric below which a fix is real and not worth its name:
// half of what two identical runs of a small machine differ by (±3–7 %).
const LeastGain = 0.03

// BuysNothing reports that neither throughput nor latency would become better: by less than LeastGain, or
// by less than twice that where it is not sure that they would at all. What would become worse is no
// gain either. An open loop offers the same in any case, so without its p99 nothing is known.
func (p Prediction) BuysNothing() bool {
	if !p.Throughput.Known() || !p.P99.Known() {
		return false
	}
	gains := func(q Quantity, better float64) bool {
		v, ok := q.Value.Get()
		gain := better * (v - 1)
		return ok && (gain >= 2*LeastGain || gain >= LeastGain && !q.Contains(1))
	}
	return !gains(p.Throughput, 1) && !gains(p.P50, -1) && !gains(p.P99, -1)
}

// Fix is a way to fix a finding by parts.
type Fix string

// The fixes of an Alternative; FixGone is what the Prediction itself is of.
const (
	FixGone     Fix = "gone"      // nothing is left of it
	FixAlone    Fix = "alone"     // nothing is left of it, and all else stays as it is: where the fix may take more, and the least alone is said
	FixTogether Fix = "together"  // what a request asks for one after the other, and waits for each time, is asked at once
	FixHalved   Fix = "halved"    // half of the cost goes; of the work under a lock half is done outside of it
	FixSharded  Fix = "sharded-8" // a lock is split into eight
	FixRWMutex  Fix = "rwmutex"   // readers share the lock; an assumption says how many of the holds read
)

// Alternative is what a fix that leaves something of a finding would do, with the
// ratios of a Prediction.
type Alternative struct {
	Fix        Fix      `json:"fix"`
	Throughput Quantity `json:"throughput_ratio"`
	P50        Quantity `json:"p50_ratio"`
	P99        Quantity `json:"p99_ratio"`
}
