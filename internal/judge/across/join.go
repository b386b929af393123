package across

import (
	"fmt"
	"math"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// Side is one of two services: its name, and the evidence of the window that both share.
type Side struct {
	Name string
	Ev   facts.Evidence
}

// Join says how the requests of a callee belong to those of a caller, by the connections that it
// has accepted and by both traces. [Matched.Apply] puts in what single requests say.
func Join(caller, callee Side) unpark.Join {
	j := unpark.Join{How: unpark.ByConnections}
	j.Unsure = asked(caller, callee)
	a, b := caller.Ev.Tracing, callee.Ev.Tracing
	if a != nil && b != nil && a.Requests >= enough && b.Requests >= enough && a.Seconds > 0 && b.Seconds > 0 {
		calls := float64(b.Requests) / b.Seconds / (float64(a.Requests) / a.Seconds)
		j.Calls = about(calls, "requests/req", min(a.Requests, b.Requests))
		j.Wall = unpark.Between(b.Wall.Mean, b.Wall.Mean*(1-wider), b.Wall.Mean*(1+wider), "s", b.Wall.N)
	}
	m := model.New(caller.Ev)
	if m.Requests > 0 {
		var waits float64
		for _, w := range m.Answers {
			waits += w.Lost()
		}
		j.Wait = about(waits/m.Requests, "s/req", int64(m.Requests))
	}
	part := partOf(caller.Ev.Window, callee.Ev.Window, j)
	if v, ok := j.Wait.Value.Get(); ok && m.Mean > 0 {
		j.Share = unpark.Num(min(1, part*v/m.Mean))
	}
	if a != nil && a.Tail.N > 0 && a.Tail.Mean > 0 {
		j.Tail = unpark.Num(min(1, part*waiting(a, func(s unpark.StateTime) float64 { return s.Tail })/a.Tail.Mean))
		j.Causes = causes(b, j.Tail.Or(0))
	}
	if j.Unsure == "" {
		wait := j.Wait.Value
		if a != nil && a.Requests >= enough {
			wait = unpark.Num(waiting(a, func(s unpark.StateTime) float64 { return s.All })) // at the same time as the answers
		}
		j.Unsure = overlaps(caller.Name, callee.Name, wait, j)
	}
	return j
}

func about(v float64, unit string, n int64) unpark.Quantity {
	return unpark.Between(v, v*(1-wider), v*(1+wider), unit, n)
}

// waiting is the time of requests of a cohort that wait for the other end of a connection.
func waiting(t *unpark.Tracing, of func(unpark.StateTime) float64) float64 {
	var sum float64
	for _, s := range t.States {
		if s.Class == unpark.WaitDownstream {
			sum += of(s)
		}
	}
	return sum
}

// asked says why it is not sure that what a callee does it does for its caller; empty where it is.
func asked(caller, callee Side) string {
	clients := callee.Ev.Window.Clients
	var all, mine int
	for _, c := range clients {
		all += c.Connections
		if c.PID > 0 && slices.ContainsFunc(caller.Ev.Window.Processes, func(p unpark.Process) bool { return p.PID == c.PID }) {
			mine += c.Connections
		}
	}
	switch {
	case all == 0:
		return fmt.Sprintf("which processes ask %s is not known: it is on another machine, answers on a unix socket, or has closed all connections at the end of the window", callee.Name)
	case mine == 0:
		return fmt.Sprintf("%s has no connection to %s", caller.Name, callee.Name)
	case float64(mine) < exclusive*float64(all):
		return fmt.Sprintf("%d of the %d connections that %s has accepted are not those of %s: what it does for others cannot be told apart", all-mine, all, callee.Name, caller.Name)
	}
	return ""
}

// partOf is the part of a caller's waits for answers that are those for one callee: all of them
// where it is connected to nothing else, else what the callee's own responses come to.
func partOf(caller, callee unpark.Window, j unpark.Join) float64 {
	alone := !slices.ContainsFunc(caller.Peers, func(p unpark.Peer) bool {
		return !p.Self && !slices.ContainsFunc(callee.Processes, func(q unpark.Process) bool { return q.PID == p.PID })
	})
	wait := j.Wait.Value.Or(0)
	if alone || wait <= 0 {
		return 1
	}
	return min(1, j.Calls.Value.Or(0)*j.Wall.Value.Or(0)/wait)
}

// overlaps says that the answers take longer than the caller waits for them.
func overlaps(caller, callee string, waited unpark.Number, j unpark.Join) string {
	wait, ok := waited.Get()
	took := j.Calls.Value.Or(0) * j.Wall.Value.Or(0)
	switch {
	case !ok || took <= 0:
		return ""
	case wait <= 0:
		return fmt.Sprintf("no request of %s was seen to wait for an answer", caller)
	case took > overlapping*wait:
		return fmt.Sprintf("the answers of %s to one request of %s take %.2g times as long as it waits for them: calls overlap, or are made in the background", callee, caller, took/wait)
	}
	return ""
}

// causes are what the slowest requests of a callee do, as shares of the time of the caller's
// slowest, of which the callee has a part. Which of the callee's requests belong to the caller's
// slowest is not known here: its own slowest are taken for them.
func causes(t *unpark.Tracing, part float64) []unpark.Cause {
	if t == nil || t.Tail.N == 0 || t.Tail.Mean <= 0 || part <= 0 {
		return nil
	}
	found := map[unpark.Cause]float64{}
	for _, e := range t.Edges {
		found[unpark.Cause{Class: e.Class, Site: e.Waiter}] += e.Tail / t.Tail.Mean
	}
	for _, s := range t.States {
		if s.Class == unpark.Running || s.Class == unpark.WaitScheduler {
			found[unpark.Cause{Class: s.Class}] += s.Tail / t.Tail.Mean
		}
	}
	return largestCauses(found, part)
}

func largestCauses(found map[unpark.Cause]float64, part float64) []unpark.Cause {
	var out []unpark.Cause
	for c, share := range found {
		if share = math.Min(1, share) * part; share >= leastCause {
			c.Share = unpark.Num(share)
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b unpark.Cause) int {
		if x, y := a.Share.Or(0), b.Share.Or(0); x != y {
			return map[bool]int{true: -1, false: 1}[x > y]
		}
		return slices.Compare([]string{string(a.Class), a.Site.String()}, []string{string(b.Class), b.Site.String()})
	})
	return out[:min(len(out), mostCauses)]
}
