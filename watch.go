package unpark

import (
	"reflect"
	"time"
)

// SchemaWatch names the version of the watch document. Keys are stable within it.
const SchemaWatch = "unpark.watch/v1"

// Watch is what goroutine dumps over time say of a running service: what is
// stuck, and what advances. It is the document that `unpark watch --json` prints;
// its schema is docs/watch.schema.json.
type Watch struct {
	Schema  string    `json:"schema"`
	Started time.Time `json:"started"`
	Seconds float64   `json:"seconds"` // from the first dump to the last
	Every   float64   `json:"every_s"` // as asked for; dumps that are dear come less often
	Unpark  Version   `json:"unpark"`
	Partial string    `json:"partial,omitempty"` // why the watch did not end; empty when it did

	Totals    WatchTotals     `json:"totals"`
	Processes []WatchProcess  `json:"processes"`
	Groups    []WatchGroup    `json:"groups"` // by motion as Motions has them, oldest first
	Deadlocks []WatchDeadlock `json:"deadlocks"`
	Leaks     []WatchLeak     `json:"leaks"`
	Links     []WatchLink     `json:"links"` // who waits for whom
	Warnings  []Notice        `json:"warnings"`
}

// Holds reports that nothing is stuck and that there is no candidate for a
// deadlock or a leak. Strictly, nothing that may be idle or forgotten waits
// either.
func (w Watch) Holds(strict bool) bool {
	return w.Totals.Stuck == 0 && len(w.Deadlocks) == 0 && len(w.Leaks) == 0 && (!strict || w.Totals.Waiting == 0)
}

// Document returns a copy of the watch as it is written: empty lists say [], as
// the schema demands, never null.
func (w Watch) Document() Watch {
	w.Schema = SchemaWatch
	fill(reflect.ValueOf(&w).Elem())
	return w
}

// Motion is what a goroutine did between the first dump and the last.
type Motion string

// The motions.
const (
	// MotionStuck: it did not move, and somebody or something inside the process
	// would have to let it go.
	MotionStuck Motion = "stuck"
	// MotionWaiting: it did not move and waits to be given something, by nobody's
	// request: a dump does not tell an idle worker from a forgotten one.
	MotionWaiting Motion = "waiting"
	// MotionOutside: it did not move, and what lets it go is outside of the
	// process, a timer, or a child that does move.
	MotionOutside Motion = "outside"
	// MotionRecent: it has not moved since it came, which is after the first dump.
	MotionRecent Motion = "recent"
	// MotionAdvancing: it was seen to move, it runs, or others come and go where it is.
	MotionAdvancing Motion = "advancing"
	// MotionParked: it waits for work at a known parking place.
	MotionParked Motion = "parked"
)

// Motions lists every motion in the order in which reports show them.
func Motions() []Motion {
	return []Motion{MotionStuck, MotionWaiting, MotionOutside, MotionRecent, MotionAdvancing, MotionParked}
}

// Certainty says how well a statement about goroutines is founded.
type Certainty string

// The certainties.
const (
	// Proven: the runtime itself says so: by its own wait times, the goroutineleak
	// profile, an address that is printed as live, or a wait that nothing can end.
	Proven Certainty = "proven"
	// Likely: all that was seen agrees with it, and it could still be otherwise.
	Likely Certainty = "likely"
)

// WatchTotals counts goroutines of the last dump of all processes by motion; the
// observer's own are left out.
type WatchTotals struct {
	Goroutines int `json:"goroutines"`
	Places     int `json:"places"`
	Stuck      int `json:"stuck"`
	Waiting    int `json:"waiting"`
	Outside    int `json:"outside"`
	Recent     int `json:"recent"`
	Advancing  int `json:"advancing"`
	Parked     int `json:"parked"`
}

// Of returns the number of goroutines with a motion.
func (t *WatchTotals) Of(m Motion) *int {
	switch m {
	case MotionStuck:
		return &t.Stuck
	case MotionWaiting:
		return &t.Waiting
	case MotionOutside:
		return &t.Outside
	case MotionRecent:
		return &t.Recent
	case MotionAdvancing:
		return &t.Advancing
	default:
		return &t.Parked
	}
}

// WatchProcess is one process that was watched.
type WatchProcess struct {
	Endpoint string      `json:"endpoint"`
	PID      int         `json:"pid,omitempty"` // 0 without unpark's probe
	Go       string      `json:"go,omitempty"`
	Dumps    []WatchDump `json:"dumps"`
	// LeakProfile says whether the goroutineleak profile was read; LeakNote, why it
	// was not.
	LeakProfile Coverage `json:"leak_profile"`
	LeakNote    string   `json:"leak_note,omitempty"`
	// Collected is what a garbage collection at the start took, so that the runtime
	// dates waits from then on; unknown when none was asked for or it failed.
	Collected Number `json:"collected_s"`
}

// WatchDump is one dump of one process.
type WatchDump struct {
	At         float64 `json:"at_s"`   // seconds since the first dump
	Took       float64 `json:"took_s"` // seconds to read it; the process stood still for a part of them
	Bytes      int64   `json:"bytes"`
	Goroutines int     `json:"goroutines"`
	Truncated  bool    `json:"truncated,omitempty"` // net/http/pprof stops at 64 MB: goroutines are missing
	Broken     int     `json:"broken,omitempty"`    // goroutines that could not be read
	Error      string  `json:"error,omitempty"`     // why there is no dump
}

// WatchGroup is the goroutines with one stack, wait reason and go statement that
// did the same.
type WatchGroup struct {
	Motion     Motion    `json:"motion"`
	State      string    `json:"state"` // as the runtime calls it: "chan send", "sync.Mutex.Lock", "IO wait"
	Class      WaitClass `json:"class"`
	Side       Side      `json:"side"`
	Site       Site      `json:"site"`       // innermost application frame, or who called the wait
	Created    Site      `json:"created"`    // the go statement; zero for the main goroutine
	Goroutines int       `json:"goroutines"` // in the last dump
	Proven     int       `json:"proven"`     // of them, those whose motion is proven; others are likely
	Oldest     Number    `json:"oldest_s"`   // the longest wait, a lower bound
	Objects    []string  `json:"objects"`    // what they wait on, with its address, where that is printed as live; at most 10
	Why        string    `json:"why"`        // the evidence in a sentence
	// Series is the number of goroutines at this place in each dump, whatever their
	// motion; Came and Went are those that were new to it, and those that left it.
	Series  []int         `json:"series"`
	Came    int           `json:"came"`
	Went    int           `json:"went"`
	Members []WatchMember `json:"members"` // oldest first, at most 10
	Stack   []Site        `json:"stack"`   // leaf first, at most 32
}

// WatchMember is one goroutine.
type WatchMember struct {
	Process int     `json:"process"` // index into processes
	ID      int64   `json:"id"`
	Age     float64 `json:"age_s"`             // how long it has not moved, a lower bound
	Creator int64   `json:"creator,omitempty"` // goroutine that started it; 0 where the runtime does not say
}

// WatchDeadlock is a candidate for a deadlock: a set of goroutines of one process
// that are stuck and wait for each other.
type WatchDeadlock struct {
	Process    int       `json:"process"`
	Certainty  Certainty `json:"certainty"`
	Title      string    `json:"title"`
	Evidence   []string  `json:"evidence"`
	Count      int       `json:"count"`      // goroutines in the set
	Goroutines []int64   `json:"goroutines"` // at most 10 of them
}

// WatchLeak is a candidate for a leak: a place at which goroutines only gather.
type WatchLeak struct {
	Certainty Certainty `json:"certainty"` // proven by the goroutineleak profile
	State     string    `json:"state"`
	Site      Site      `json:"site"`
	Created   Site      `json:"created"`
	First     int       `json:"first"` // goroutines in the first dump
	Last      int       `json:"last"`
	PerSecond Number    `json:"per_second"`
	Oldest    Number    `json:"oldest_s"`
	Leaked    int       `json:"leaked"` // goroutines that the goroutineleak profile proves
	Why       string    `json:"why"`
	Stack     []Site    `json:"stack"`
}

// WatchLink is one step of who waits for whom in one process.
type WatchLink struct {
	Process   int       `json:"process"`
	From      []int64   `json:"from"` // goroutines that wait, at most 10
	FromCount int       `json:"from_count"`
	Site      Site      `json:"site"` // where they wait
	Object    string    `json:"object"`
	To        []int64   `json:"to"` // goroutines that could let them go, at most 10; empty when unknown
	ToCount   int       `json:"to_count"`
	ToSite    Site      `json:"to_site"`
	Certainty Certainty `json:"certainty"` // of To
	Why       string    `json:"why"`
}
