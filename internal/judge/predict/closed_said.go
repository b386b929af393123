package predict

import (
	"fmt"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/roles"
	"github.com/unpark-go/unpark/internal/units"
)

// What is said of a forecast of a closed loop, and what is left out.

// notMore begins the assumption of a forecast of which the least is said.
const notMore = "how much more than that is not predicted: "

// answered is throughput where requests wait for what another goroutine does: that goes on having
// something to do before it answers. The slowest waited for more than that.
func (c cut) answered(x span) span {
	if c.answer && x.value > 1 {
		x.low = min(x.low, 1/(stillAnswered+(1-stillAnswered)/x.value))
	}
	return x
}

// uncovers reports whether a wait goes and processors bind then that did not before. What a
// request costs them now is no measure of what it costs when they are full: goroutines that wait
// are set aside and woken, find their caches cold, and queue again. Documented fixes of such waits
// left between a fifteenth and all of it.
func (c closedLoop) uncovers(next unpark.LimitKind) bool {
	return c.cut.wait.value > 0 && c.cut.binds && !cpuLike(c.limit) && cpuLike(next)
}

// silent takes back what is too wide to say. What is left where nearly all goes is the
// difference of two large numbers: then the least that a fix buys is all that is known.
func (c closedLoop) silent(p *unpark.Prediction, f unpark.Finding) {
	q, why := p.Throughput, ""
	large := q.Value.Or(0) >= largeGain
	itself := c.m.Wire.Itself && c.cut.wire
	unnamed := c.unnamed()
	switch {
	case itself:
		why = "the other end is this process as well, and goes with what is encoded, handed over and decoded between the two"
	case c.cut.churn && f.Culprit != nil && roles.Is(f.Culprit.Function, roles.AcceptCall):
		why = "what the other end and the kernel take to open and close these connections is in no profile of the service"
	case c.uncovers(p.NextLimit) && !c.cut.spared:
		why = "the processors bind then, and what a request costs them when it does not wait is not known"
	case unnamed:
		why = "most of a request's time is neither CPU nor a wait that was measured, and may be a queue for this"
	case q.High.Or(0) > widestGain*q.Low.Or(0):
		why = "it is nearly all that a request takes, and what takes its place is not known"
	case foreign(f) && !c.cut.spared:
		why = unpark.ShortFunction(f.Culprit.Function) + " is not your code, and a fix may take more than it: what calls it, and what it leaves to others"
	case (f.Class == unpark.ClassLock || f.Class == unpark.ClassChannel) && notYours(f):
		does := " runs under the lock"
		switch {
		case f.Class == unpark.ClassChannel:
			does = " hands it over"
		case f.Culprit == nil:
			does = " takes the lock"
		}
		why = unpark.ShortFunction(theirs(f).Function) + does + " and is not your code: where it is called less, or costs less, more goes than the wait"
	case f.Class == unpark.ClassDownstream && !c.cut.spared && (large || alsoAsked(c.m, f) > 0): // a setting of a client spares all its calls
		why = "how many of its calls a request can do without is not known, and each takes processors at both ends as well"
	}
	more := why != "" && q.Low.Or(0) > 1+unpark.LeastGain
	if more && (foreign(f) || c.cut.answer && notYours(f)) && !itself {
		alone := q
		if foreign(f) && ofCulprit(c.service, f) > c.cut.cpu.value {
			alone = without(c, f)
		}
		if alone.High.Or(0) <= widestAlone*alone.Low.Or(0) {
			p.Alternatives = append([]unpark.Alternative{{Fix: unpark.FixAlone, Throughput: alone}}, p.Alternatives...)
		}
	}
	// A library that is asked otherwise may have no need of the device at all.
	device := f.Class == unpark.ClassIO && foreign(f)
	unsure := itself || unnamed || q.High.Or(0) > widestGain*q.Low.Or(0) || device && q.Low.Or(0) < 1 || large
	if open := why != "" && !more && unsure && q.Value.Or(0) > 1+unpark.LeastGain; open {
		p.Throughput, p.P50 = unpark.Quantity{Unit: q.Unit, Low: q.Low, N: q.N}, unpark.Quantity{}
		p.Summary = "What fixing it would buy is not predicted: from nothing to several times the throughput."
		p.Assumptions = append(p.Assumptions, "how much it buys is not predicted: "+why)
	}
	if more {
		p.Throughput, p.P50 = unpark.Quantity{Unit: q.Unit, Low: q.Low, N: q.N}, unpark.Quantity{}
		p.Summary = fmt.Sprintf("Fixing it would raise throughput from %s to %s or more.", units.Say(c.rate, "req/s"), units.Say(c.rate*q.Low.Or(1), "req/s"))
		p.Assumptions = append(p.Assumptions, notMore+why)
	}
	// N requests under way take N ÷ throughput on average: without an upper end of the one
	// there is no lower end of the other.
	if q := p.P99; more || q.High.Or(0) > widestTail*q.Low.Or(0) {
		const spread = "what is left of a request may be spread in too many ways"
		*p = limited(*p, atMost(q), spread, spread)
	}
}

// unnamed reports whether it is not known what holds a request for most of its time, where a wait goes: requests may queue for what waits
// there, in no goroutine that a profile could show.
func (c change) unnamed() bool {
	return c.limit == unpark.LimitUnknown && c.cut.wait.value > 0 && c.mean-c.cpu-c.measuredWaits() >= model.BindingShare*c.mean
}

// foreign reports whether what computes is not the user's. A fix is then seldom that the function
// gets cheaper: its caller does without it, another library or a later version takes its place, and what
// prepares for it and cleans up behind it goes too. Of 25 documented faults of that kind (labs/wild, sixth
// and seventh edition) the fix bought more than the middle of the forecast in 20, and more than twice that in 8.
func foreign(f unpark.Finding) bool {
	switch f.Class {
	case unpark.ClassCPU, unpark.ClassAlloc, unpark.ClassSyscall, unpark.ClassIO:
		return notYours(f)
	}
	return false
}

// theirs is what a finding is about, where that is not its site: the culprit, or who waits for a lock of a library.
func theirs(f unpark.Finding) *unpark.Site {
	if f.Culprit == nil && f.Class == unpark.ClassLock {
		return f.Waiter
	}
	return f.Culprit
}

// notYours reports whether the culprit is of a module that the build has in some version or a copy of, or of Go's own, or, where
// no file is known, of another package than the line that is yours.
func notYours(f unpark.Finding) bool {
	c := theirs(f)
	if c == nil || unpark.PackageOf(c.Function) == unpark.PackageOf(f.Site.Function) {
		return false
	}
	_, _, _, versioned := c.Module()
	return versioned || strings.Contains(c.File, "/vendor/") || c.File == "" || roles.Is(c.Function, roles.Standard)
}
