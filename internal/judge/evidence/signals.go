package evidence

import (
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
	{facts.SignalAccept, roles.AcceptCall},
	{facts.SignalFsync, roles.Sync},
	{facts.SignalRegexp, roles.CompileRegexp},
	{facts.SignalReflect, roles.Reflect},
	{facts.SignalYield, roles.Yield},
	{facts.SignalRecord, roles.Records},
	{facts.SignalHandoff, roles.Handoff},
	{facts.SignalPark, roles.Aside},
}

// signalKey is what signals are summed by.
type signalKey struct {
	id   facts.SignalID
	site unpark.Site
	leaf string
}

// signals sums CPU on the request path under recognised frames; that of yielding, of channels and of
// recording wherever it is, because the scheduler works on a stack of its own, channels have two ends, and
// whoever allocates records.
func signals(p *profiles) []facts.Signal {
	sums := tally[signalKey]{}
	leaves := map[signalKey]unpark.Site{}
	for _, s := range p.stacks[unpark.KindCPU] {
		if s.observer() {
			continue
		}
		for id, i := range s.signals() {
			anywhere := id == facts.SignalYield || id == facts.SignalHandoff || id == facts.SignalPark || id == facts.SignalRecord
			if s.label.Side != unpark.RequestPath && !anywhere {
				continue
			}
			key := signalKey{id, s.site(), s.sites[i].Function}
			if s.label.App < 0 {
				key.site = s.plumbed(i + 1)
			}
			sums.add(key, s, s.value, s.count)
			leaves[key] = s.sites[i]
		}
	}
	rows := make([]facts.Signal, 0, len(sums))
	for k, v := range sums.all() {
		rows = append(rows, facts.Signal{ID: k.id, Site: k.site, Leaf: leaves[k], CPU: v.value, Stack: clip(v.stack)})
	}
	return largest(rows, func(s facts.Signal) float64 { return s.CPU }, func(s facts.Signal) unpark.Site { return s.Leaf })
}

// signals returns, for each signal of a stack, the outermost recognised frame below
// the application: the call that the application made. Hashing within a TLS
// connection is part of the connection, and a handshake is not counted as dialling once more.
func (s stack) signals() map[facts.SignalID]int {
	end := len(s.sites)
	if s.label.App >= 0 {
		end = s.label.App
	}
	var out map[facts.SignalID]int
	tls := false
	for i := end - 1; i >= 0; i-- {
		is := func(r roles.Role) bool { return s.catalogue.Is(s.sites[i].Function, r) }
		tls = tls || is(roles.TLS)
		for _, of := range signalRoles {
			if _, found := out[of.id]; found || !is(of.role) || tls && of.role == roles.Output {
				continue
			}
			if out == nil {
				out = map[facts.SignalID]int{}
			}
			out[of.id] = i
		}
	}
	if _, greets := out[facts.SignalHandshake]; greets {
		delete(out, facts.SignalDial) // a part of it, which is counted once
	}
	return out
}
