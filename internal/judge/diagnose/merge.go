package diagnose

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/judge/owner"
	"github.com/unpark-go/unpark/internal/roles"
)

// underLock is for a lock that is held for what a CPU finding is about: made cheap, it is held for less and the CPU is saved. Of a lock inside
// a library that is all that its function calls. What the application calls under a lock of its own it can move out of that, and has saved
// no CPU; what the function itself computes that holds it stays, and is one with the lock where requests wait longer for it than it computes.
func underLock(m *model.Model, mine, other unpark.Finding) bool {
	for _, q := range m.Locks {
		if !q.Found(mine) || other.Culprit == nil {
			continue
		}
		of := other.Culprit.Function
		if _, foreign := callerOf(m, q); foreign && q.Kept {
			return m.Ev.CPU.Tree.Between(q.Within, of) >= mostOfCause*m.Ev.CPU.Tree.Through(of)
		}
		return of == q.Heaviest.Holder.Function && q.Covered(m) >= mostOfCause &&
			other.Cost.CPUPerRequest.Value.Or(0) < mine.Cost.WaitPerRequest.Value.Or(0)
	}
	return false
}

// takeHeld adds the CPU of what holds a lock, and the way out that saves it.
func takeHeld(m *model.Model, mine *unpark.Finding, other unpark.Finding) {
	if mine.Cost.CPUPerRequest.Value.Known() {
		return // it has that already
	}
	mine.Cost.CPUPerRequest = other.Cost.CPUPerRequest // and no cores: the first way out, to hold it for less, saves none
	mine.Remedies = append(mine.Remedies, cheaper(owner.Owner{Culprit: *other.Culprit}, "the lock"))
	mine.Facts = append(mine.Facts, other.Facts[:min(1, len(other.Facts))]...)
}

// sameDescriptor is for requests that wait for one another to write to a descriptor, and
// the CPU of their writes.
func sameDescriptor(_ *model.Model, mine, other unpark.Finding) bool {
	return roles.On(mine.Path, roles.Descriptor) && sameFunction(nil, mine, other)
}

func takeCalls(_ *model.Model, mine *unpark.Finding, other unpark.Finding) {
	mine.Cost.CPUPerRequest, mine.Cost.Cores = other.Cost.CPUPerRequest, other.Cost.Cores
	mine.Facts = append(mine.Facts, other.Facts[:min(1, len(other.Facts))]...)
}

// callsWithin is for the system calls that a function makes, where it computes for longer
// than they wait: called less, it waits less too.
func callsWithin(_ *model.Model, mine, other unpark.Finding) bool {
	return mine.Culprit != nil && facts.Through(other.Path, mine.Culprit.Function) &&
		other.Cost.WaitPerRequest.Value.Or(0) < mine.Cost.CPUPerRequest.Value.Or(0)
}

// oneCause reports whether a function's CPU and its garbage are one cause: most of the
// bytes are allocated below the function that computes, or most of its CPU is below the
// one that allocates.
func oneCause(m *model.Model, computes, allocates unpark.Finding) bool {
	if computes.Culprit == nil || allocates.Culprit == nil {
		return false
	}
	cpu, bytes := computes.Culprit.Function, allocates.Culprit.Function
	if cpu == bytes {
		return true
	}
	t, a := m.Ev.CPU.Tree, m.Ev.AllocTree
	if a.Total == 0 {
		a = t.Allocator()
	}
	return a.Between(cpu, bytes) >= mostOfCause*a.Through(bytes) || t.Between(bytes, cpu) >= mostOfCause*t.Through(cpu)
}

// mostlyComputes is for CPU of which garbage is the smaller part.
func mostlyComputes(m *model.Model, mine, other unpark.Finding) bool {
	return oneCause(m, mine, other) && !isGarbage(mine, other)
}

// mostlyAllocates is for CPU that is mostly spent on fresh memory.
func mostlyAllocates(m *model.Model, mine, other unpark.Finding) bool {
	return oneCause(m, other, mine) && isGarbage(other, mine)
}

// isGarbage reports whether half of what a function computes is the garbage of an
// allocation.
func isGarbage(computes, allocates unpark.Finding) bool {
	return allocates.Cost.Cores.Value.Or(0) >= computes.Cost.Cores.Value.Or(0)/2
}

func takeBytes(m *model.Model, mine *unpark.Finding, other unpark.Finding) {
	mine.Cost.BytesPerRequest = other.Cost.BytesPerRequest
	if other.Culprit != nil {
		bytes := m.Ev.AllocTree.Through(other.Culprit.Function)
		mine.Facts = append(mine.Facts, fact("allocated in "+short(other.Culprit.Function), bytes, "B", unpark.KindAllocs.File()))
	}
}

// makesAnswers is for answers that are made again and again by what a function computes.
func makesAnswers(m *model.Model, mine, other unpark.Finding) bool {
	return sameFunction(m, mine, other) && !computesAnswers(m, other, mine)
}

// computesAnswers is for a module's work where modules do most of what is made again, be it computed or its garbage. Where that answers
// repeat is known from a few requests that were written down it says little, and of the module more is known: a later version, what it
// may be told, what else does it. That answers could be kept is then a way out of it. What the application does with Go's own functions
// alone stays as it is.
func computesAnswers(m *model.Model, mine, _ unpark.Finding) bool {
	return mine.Culprit != nil && m.Ev.Sketched() && throughModule(mine) && m.Ev.CPU.Tree.Modules() >= mostOfCause
}

// throughModule reports whether the way from the application's line to what owns a cost is a module's with a version.
func throughModule(f unpark.Finding) bool {
	for _, s := range append([]unpark.Site{*f.Culprit}, f.Path...) {
		if s.Function == f.Site.Function {
			return false
		}
		if _, _, _, versioned := s.Module(); versioned {
			return true
		}
	}
	return false
}

// takeRepeats adds how many answers repeat.
func takeRepeats(_ *model.Model, mine *unpark.Finding, other unpark.Finding) {
	mine.Facts = append(mine.Facts, other.Facts[0])
}

// mostGarbage is for one allocation that makes most of what is collected. Collections that are asked for come
// whatever is allocated.
func mostGarbage(m *model.Model, mine, _ unpark.Finding) bool {
	if _, part := collections(m); part >= askedPart {
		return false
	}
	return mine.Share.Or(0) >= model.BindingShare
}

// takeCollector adds the advice that is about the collector itself.
func takeCollector(_ *model.Model, mine *unpark.Finding, other unpark.Finding) {
	mine.Remedies = append(mine.Remedies, collectLess())
	mine.Cost.WaitPerRequest = other.Cost.WaitPerRequest
	for _, f := range other.Facts {
		if !slices.ContainsFunc(mine.Facts, func(have unpark.Fact) bool { return have.Text == f.Text }) {
			mine.Facts = append(mine.Facts, f)
		}
	}
}
