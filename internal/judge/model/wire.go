package model

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/roles"
)

// wire is the CPU of reading and writing connections, of any goroutine.
type wire struct {
	Clients end // the connections by which requests come in
	Others  end // those beside them
	// Itself reports that the others lead to the target: both their ends are in Others.
	Itself bool
	// Asking is the CPU, in seconds, of requests inside of clients of the target itself, without system calls: encoding, framing and
	// handing over what the other end, in the same process, takes apart again.
	Asking float64
	// Reads and Writes are the calls for each request, to files and connections alike, that the
	// kernel counted, and Bytes what one of the latter carried, mean; 0 where it did not count.
	Reads, Writes, Bytes float64
}

// end is the CPU of the calls on one sort of connections.
type end struct {
	CPU  float64      // s
	Most facts.Signal // the place with most of it, its CPU that of all its rows
}

// wireOf sorts the calls by the library that has the connection. Requests come in by the
// library of a server's end that takes most: a server behind it, which the target asks over
// a connection to itself, is sent a part of each only. Without such an end, what is read and
// written are connections that the target accepted with code of its own.
func wireOf(m *Model) wire {
	calls := slices.DeleteFunc(slices.Clone(m.Ev.Signals), func(s facts.Signal) bool {
		return s.ID != facts.SignalSend && s.ID != facts.SignalReceive
	})
	ends := map[string]float64{}
	for _, s := range calls {
		if roles.Of(s.Via.Function).WaitBelow == unpark.WaitNetwork {
			ends[library(s.Via)] += s.CPU
		}
	}
	entry, most := "", 0.0
	for name, cpu := range ends {
		if cpu > most || cpu == most && name < entry {
			entry, most = name, cpu
		}
	}
	out := wire{Itself: m.Ev.Window.AsksItself()}
	alone := entry == "" || len(m.Ev.Window.Peers) == 0 // all that it has, clients opened
	out.Clients = endOf(calls, func(s facts.Signal) bool { return alone || library(s.Via) == entry })
	out.Others = endOf(calls, func(s facts.Signal) bool { return !alone && library(s.Via) != entry })
	if out.Itself {
		out.Asking = inClients(m.Ev.CPU.Tree.Roots)
	}
	w := m.Ev.Window
	reads := w.Total(func(p unpark.Process) unpark.Number { return p.Reads })
	writes := w.Total(func(p unpark.Process) unpark.Number { return p.Writes })
	written := w.Total(func(p unpark.Process) unpark.Number { return p.Written })
	out.Reads, out.Writes = m.PerRequest(reads.Or(0)).Or(0), m.PerRequest(writes.Or(0)).Or(0)
	out.Bytes = unpark.Ratio(written.Or(0), writes.Or(0)).Or(0)
	return out
}

// inClients is what runs below the functions by which a client is asked, without system calls.
func inClients(nodes []*facts.Node) float64 {
	var sum float64
	for _, n := range nodes {
		if roles.Of(n.Site.Function).WaitBelow == unpark.WaitDownstream {
			sum += n.Value - n.Kernel
		} else {
			sum += inClients(n.Calls)
		}
	}
	return sum
}

// endOf sums the calls that are asked for.
func endOf(calls []facts.Signal, asked func(facts.Signal) bool) end {
	by := map[string]*facts.Signal{}
	top := map[string]float64{}
	var out end
	for _, s := range calls {
		if !asked(s) {
			continue
		}
		name := s.Site.Function
		row := by[name]
		if row == nil {
			row = &facts.Signal{}
			by[name] = row
		}
		sum := row.CPU + s.CPU
		if s.CPU > top[name] {
			top[name] = s.CPU
			*row = s
		}
		row.CPU = sum
		out.CPU += s.CPU
	}
	if all := largest(by, func(s facts.Signal) (float64, string) { return s.CPU, s.Site.Function }); len(all) > 0 {
		out.Most = all[0]
	}
	return out
}
