package evidence

import (
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/exectrace"
	"github.com/unpark-go/unpark/internal/measure/profile"
)

// Meaning returns what the catalogue knows of a trace's stacks.
func Meaning(c *profile.Catalogue) func(exectrace.Event, []unpark.Site) exectrace.Meaning {
	return func(at exectrace.Event, stack []unpark.Site) exectrace.Meaning {
		kind := unpark.KindGoroutine
		if at == exectrace.AtWake {
			kind = unpark.KindMutex // the stack of one who releases
		}
		full, shift := asDumped(at, stack)
		l := c.Label(kind, full)
		m := exectrace.Meaning{
			Class: l.Class, Idle: l.Idle, Observe: l.Side == unpark.ObserverSide,
			Works: (l.App >= 0 || answers(stack)) && !beside(stack), Caller: -1,
		}
		if onStack(stack, "runtime.gcStart") {
			// An allocation begins a collection, or waits for another one that does.
			m.Class = unpark.WaitGCAssist
		}
		if l.Caller >= 0 {
			m.Caller = l.Caller + shift
		}
		if at == exectrace.AtSync && l.Class == unpark.WaitUnknown && strings.HasPrefix(stack[0].Function, "runtime.") {
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

// asDumped returns a trace's stack with the leaf that a goroutine dump has: the
// tracer leaves out the frames of the runtime that block (the skip of its calls in
// runtime/chan.go, select.go, netpoll.go). Shift takes an index of the result to one
// of stack.
func asDumped(at exectrace.Event, stack []unpark.Site) (full []unpark.Site, shift int) {
	leaf := ""
	switch at {
	case exectrace.AtNetwork:
		leaf = "internal/poll.runtime_pollWait"
	case exectrace.AtSelect:
		leaf = "runtime.selectgo"
	case exectrace.AtSend:
		leaf = "runtime.chansend1"
	case exectrace.AtReceive:
		leaf = "runtime.chanrecv1"
	case exectrace.AtSleep:
		leaf = "runtime.timeSleep"
	case exectrace.AtSyscall:
		// A read of a connection that finds nothing is followed by the wait for it.
		i := slices.IndexFunc(stack, func(s unpark.Site) bool { return s.Function == "internal/poll.(*FD).Read" })
		if i < 0 {
			return stack, 0
		}
		stack, shift, leaf = stack[i:], i, "internal/poll.runtime_pollWait"
	default:
		return stack, 0
	}
	return append([]unpark.Site{{Function: leaf}}, stack...), shift - 1
}

// beside reports whether a stack is of what a connection's goroutine does beside
// requests: it shakes hands, or tells a hook that the connection is idle.
func beside(stack []unpark.Site) bool {
	return onStack(stack, "crypto/tls.(*Conn).HandshakeContext", "net/http.(*conn).setState")
}

func onStack(stack []unpark.Site, functions ...string) bool {
	return slices.ContainsFunc(stack, func(s unpark.Site) bool { return slices.Contains(functions, s.Function) })
}

// answers reports whether a stack writes to a connection and does not close it.
func answers(stack []unpark.Site) bool {
	writes := false
	for _, s := range stack {
		switch s.Function {
		case "internal/poll.(*FD).Close", "net.(*conn).Close", "crypto/tls.(*Conn).Close":
			return false
		case "net.(*conn).Write", "internal/poll.(*FD).Write", "internal/poll.(*FD).Writev", "internal/poll.SendFile", "internal/poll.Splice":
			writes = true
		}
	}
	return writes
}
