package diagnose

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/roles"
)

// stalls are system calls that make the slowest requests slow and that the others hardly make,
// by traces: a log's checkpoint or a rotation in one request of many. Dumps meet too few of
// them, and of the time of all requests together they are next to nothing. Calls of sockets are none: they
// never wait in the kernel, and one that takes long is a thread that wanted a processor.
func stalls(m *model.Model) []model.Wait {
	t := m.Ev.Tracing
	if t == nil || t.Tail.N < fewEvents {
		return nil
	}
	var out []model.Wait
	for _, row := range t.Excess {
		if row.Class != unpark.WaitSyscall || row.Site.IsZero() || roles.On(row.Stack, roles.Socket) || row.Share.Or(0) < model.BindingShare ||
			row.Tail < model.BindingShare*t.Tail.Mean || row.More.Low.Or(0) < model.BindingShare*row.More.Value.Or(0) {
			continue
		}
		slow := t.Tail.To - t.Tail.From
		delay := (row.Tail*slow + row.Middle*(1-slow)) * m.Requests
		out = append(out, model.Wait{
			Heaviest: facts.Wait{Class: row.Class, Side: unpark.RequestPath, Waiter: row.Site, Stack: row.Stack, Delay: delay, Source: unpark.KindTrace.File()},
			Delay:    delay, Seen: float64(t.Tail.N), Sources: map[string]float64{unpark.KindTrace.File(): delay}, Plausible: true,
		})
	}
	return out
}

// stalled reports the stalls in functions of which nothing has been found.
func stalled(m *model.Model, found []unpark.Finding) []unpark.Finding {
	for _, p := range stalls(m) {
		if slices.ContainsFunc(found, func(f unpark.Finding) bool { return p.Covers(f.Waiter.Function) }) {
			continue
		}
		f := finding(m, "io", unpark.ClassIO, p)
		f.Title, f.Remedies = ioText(p)
		f.Title += ", in " + slowest(m.Ev.Tracing.Tail) + " alone"
		f.Remedies = append([]unpark.Remedy{{
			Title: "Do it off the request's path: in the background, or at times that you choose",
			Why:   "one request in many does it for all, and is that much slower",
			Risk:  "what it was to clean up, or to make safe, waits a little longer",
		}}, f.Remedies...)
		found = append(found, f)
	}
	return found
}
