package evidence

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/roles"
)

// signalRoles are the roles by which costs are recognised.
var signalRoles = [...]struct {
	id   facts.SignalID
	role roles.Role
}{
	{facts.SignalDial, roles.Open},
	{facts.SignalHandshake, roles.Handshake},
	{facts.SignalEncode, roles.Output},
	{facts.SignalWrite, roles.WriteCall},
	{facts.SignalRead, roles.ReadCall},
	{facts.SignalSend, roles.WriteCall},
	{facts.SignalReceive, roles.ReadCall},
	{facts.SignalAccept, roles.AcceptCall},
	{facts.SignalFsync, roles.Sync},
	{facts.SignalRegexp, roles.CompileRegexp},
	{facts.SignalFirstUse, roles.FirstUse},
	{facts.SignalReflect, roles.Reflect},
	{facts.SignalYield, roles.Yield},
	{facts.SignalRecord, roles.Records},
	{facts.SignalHandoff, roles.Handoff},
	{facts.SignalPark, roles.Aside},
	{facts.SignalThread, roles.Threads},
}

// signalKey is what signals are summed by.
type signalKey struct {
	id   facts.SignalID
	site unpark.Site
	leaf string
	via  unpark.Site
}

// signals sums CPU on the request path under recognised frames; that of yielding, of channels, of
// recording and of connections wherever it is, because the scheduler works on a stack of its own, channels and
// connections have two ends, and whatever allocates records.
func signals(p *profiles) []facts.Signal {
	sums := tally[signalKey]{}
	leaves := map[signalKey]unpark.Site{}
	for _, s := range p.stacks[unpark.KindCPU] {
		if s.observer() {
			continue
		}
		for id, i := range s.signals() {
			if s.label.Side != unpark.RequestPath && !slices.Contains(anywhere, id) {
				continue
			}
			key := signalKey{id: id, site: s.site(), leaf: s.sites[i].Function}
			if id == facts.SignalServing {
				key.site = s.sites[i]
				key.site.Line = 0 // the loop calls from many
			}
			if id == facts.SignalSend || id == facts.SignalReceive {
				if s.on(roles.File) {
					continue
				}
				key.via = s.via(i + 1)
			}
			if s.label.App < 0 && id != facts.SignalServing {
				key.site = s.plumbed(i + 1)
			}
			sums.add(key, s, s.value, s.count)
			leaves[key] = s.sites[i]
		}
	}
	rows := make([]facts.Signal, 0, len(sums))
	for k, v := range sums.all() {
		rows = append(rows, facts.Signal{ID: k.id, Site: k.site, Leaf: leaves[k], CPU: v.value, Stack: clip(v.stack), Via: k.via})
	}
	return largest(rows, func(s facts.Signal) float64 { return s.CPU }, func(s facts.Signal) unpark.Site { return s.Leaf })
}

// anywhere are the signals of any goroutine, and not of the request path alone.
var anywhere = []facts.SignalID{facts.SignalYield, facts.SignalHandoff, facts.SignalPark, facts.SignalThread, facts.SignalRecord, facts.SignalSend, facts.SignalReceive, facts.SignalServing}

// via is the function that has the connection which a call reads or writes: the innermost one that
// is known for a server's end or a client's, else the first that is no plumbing.
func (s stack) via(i int) unpark.Site {
	for _, at := range s.sites[i:] {
		if of := roles.Of(at.Function).WaitBelow; of == unpark.WaitNetwork || of == unpark.WaitDownstream {
			return unpark.Site{Function: at.Function}
		}
	}
	return unpark.Site{Function: s.plumbed(i).Function}
}

// serving is the server's function, where a stack is the server's own work on a connection to
// a client: it reads a request, or writes an answer, also one that a handler has it write.
func (s stack) serving() (int, bool) {
	serves, handles, wire := -1, false, false
	for i, at := range s.sites {
		switch {
		case s.catalogue.Is(at.Function, roles.Serve):
			serves = i
		case s.catalogue.Is(at.Function, roles.Handler):
			handles = true
		case s.catalogue.Is(at.Function, roles.Upkeep):
			return -1, false // a handshake is its connection's
		}
		wire = wire || roles.Of(at.Function).WaitBelow == unpark.WaitNetwork
	}
	return serves, serves >= 0 && (wire || !handles)
}

// signals returns, for each signal of a stack, the outermost recognised frame below
// the application: the call that the application made. Hashing within a TLS
// connection is part of the connection, and a handshake is not counted as dialling once more. What is opened to ask for
// a name is a part of asking: each question has a socket of its own (net/dnsclient_unix.go, exchange).
func (s stack) signals() map[facts.SignalID]int {
	end := len(s.sites)
	if s.label.App >= 0 {
		end = s.label.App
	}
	var out map[facts.SignalID]int
	tls, asks := false, slices.ContainsFunc(s.sites[end:], func(at unpark.Site) bool { return s.catalogue.Is(at.Function, roles.Lookup) })
	for i := end - 1; i >= 0; i-- {
		is := func(r roles.Role) bool { return s.catalogue.Is(s.sites[i].Function, r) }
		tls, asks = tls || is(roles.TLS), asks || is(roles.Lookup)
		for _, of := range signalRoles {
			if _, found := out[of.id]; found || !is(of.role) || tls && of.role == roles.Output || asks && of.role == roles.Open {
				continue
			}
			if out == nil {
				out = map[facts.SignalID]int{}
			}
			out[of.id] = i
		}
	}
	if i, ok := s.serving(); ok {
		if out == nil {
			out = map[facts.SignalID]int{}
		}
		out[facts.SignalServing] = i
	}
	if _, greets := out[facts.SignalHandshake]; greets {
		delete(out, facts.SignalDial) // a part of it, which is counted once
	}
	return out
}
