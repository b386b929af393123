package evidence

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/exectrace"
	"github.com/unpark-go/unpark/internal/measure/profile"
	"github.com/unpark-go/unpark/internal/roles"
)

// Meaning returns what the catalogue knows of a trace's stacks.
func Meaning(c *profile.Catalogue) func(exectrace.Event, []unpark.Site) exectrace.Meaning {
	return func(at exectrace.Event, stack []unpark.Site) exectrace.Meaning {
		kind := unpark.KindGoroutine
		if at == exectrace.AtWake {
			kind = unpark.KindMutex // the stack of a goroutine that releases
		}
		full, shift := asDumped(c, at, stack)
		l := c.Label(kind, full)
		m := exectrace.Meaning{
			Class: l.Class, Idle: l.Idle, Observe: l.Side == unpark.ObserverSide,
			Works: (l.App >= 0 || answers(c, stack)) && !c.On(stack, roles.Upkeep), Caller: -1,
			Done: at == exectrace.AtWake && c.On(stack, roles.Cancels), Late: at == exectrace.AtWake && c.On(stack, roles.Deadline),
		}
		if c.On(stack, roles.StartGC) {
			// An allocation begins a collection, or waits for another one that does.
			m.Class = unpark.WaitGCAssist
		}
		if l.Caller >= 0 {
			m.Caller = l.Caller + shift
		}
		if at == exectrace.AtSync && l.Class == unpark.WaitUnknown && c.Is(stack[0].Function, roles.Runtime) {
			m.Class = unpark.WaitRuntime // semacquire by the runtime itself (runtime/sema.go)
		}
		if c := c.Serving(stack); c == profile.ServesInTurn {
			m.Serving = exectrace.PerLoop
		} else if c == profile.ServesOne {
			m.Serving = exectrace.PerRequest
		}
		return m
	}
}

// Dumped returns the stack of a wait in a trace as a goroutine dump has it: with the leaf that the tracer leaves out, by which the catalogue
// tells what it waits for.
func Dumped(c *profile.Catalogue, in exectrace.State, stack []unpark.Site) []unpark.Site {
	at := exectrace.AtOther
	switch in {
	case exectrace.Network, exectrace.Downstream:
		at = exectrace.AtNetwork
	case exectrace.Select, exectrace.Pool:
		at = exectrace.AtSelect
	case exectrace.Channel:
		at = exectrace.AtReceive
	case exectrace.Sleep, exectrace.RateLimit:
		at = exectrace.AtSleep
	}
	full, _ := asDumped(c, at, stack)
	return full
}

// asDumped returns a trace's stack with the leaf that a goroutine dump has and the
// tracer leaves out. Shift takes an index of the result to one of stack.
func asDumped(c *profile.Catalogue, at exectrace.Event, stack []unpark.Site) (full []unpark.Site, shift int) {
	reason := ""
	switch at {
	case exectrace.AtNetwork:
		reason = "IO wait"
	case exectrace.AtSelect:
		reason = "select"
	case exectrace.AtSend:
		reason = "chan send"
	case exectrace.AtReceive:
		reason = "chan receive"
	case exectrace.AtSleep:
		reason = "sleep"
	case exectrace.AtSyscall:
		// A read of a connection that finds nothing is followed by the wait for it.
		i := slices.IndexFunc(stack, func(s unpark.Site) bool { return c.Is(s.Function, roles.Read) })
		if i < 0 {
			return stack, 0
		}
		stack, shift, reason = stack[i:], i, "IO wait"
	default:
		return stack, 0
	}
	return append([]unpark.Site{{Function: roles.Parker(reason)}}, stack...), shift - 1
}

// answers reports whether a stack writes to a connection and does not close it.
func answers(c *profile.Catalogue, stack []unpark.Site) bool {
	return c.On(stack, roles.Write) && !c.On(stack, roles.Close)
}
