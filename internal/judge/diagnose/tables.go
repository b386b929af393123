package diagnose

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/units"
)

// Tables says what the profiles of a window without load hold, one table or two a
// kind, each in its own unit per second. With load there is a verdict in their place.
func Tables(m *model.Model) []unpark.Table {
	if m.Load != nil {
		return nil
	}
	var out []unpark.Table
	for _, t := range []unpark.Table{ownTable(m), flatTable(m), waitTable(m), lockTable(m), allocTable(m), heapTable(m), goroutineTable(m)} {
		if len(t.Rows) > 0 {
			out = append(out, t)
		}
	}
	return out
}

// table begins a table of a kind whose values are rates where its interval is known.
func table(m *model.Model, k unpark.Kind, title, rate, total string) (t unpark.Table, scale float64) {
	c := m.Ev.Coverage[k]
	if k == unpark.KindTrace { // what it says of waits is for the whole window
		c = facts.KindCoverage{Seconds: unpark.Ratio(m.Seconds, 1)}
	}
	t = unpark.Table{Kind: k, Title: title, Unit: total, Seconds: c.Seconds, Events: c.Events}
	if s, ok := c.Seconds.Get(); ok && s > 0 {
		t.Unit = rate
		return t, 1 / s
	}
	return t, 1
}

// fill sorts the rows, gives each its share of the total and cuts the list. A row
// counts with what it calls: a handler that only calls others is listed.
func fill(t unpark.Table, total float64, rows []unpark.TableRow) unpark.Table {
	t.Total = unpark.Num(total)
	least := leastRow * total
	rows = slices.DeleteFunc(rows, func(row unpark.TableRow) bool {
		worth := row.Value
		if !t.Flat {
			worth = max(worth, row.Cum.Or(0))
		}
		return worth < least || worth <= 0
	})
	slices.SortStableFunc(rows, func(a, b unpark.TableRow) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(b.Cum.Or(0), a.Cum.Or(0)))
	})
	t.Rows = rows[:min(len(rows), maxTable)]
	for i := range t.Rows {
		t.Rows[i].Share = min(1, t.Rows[i].Value/total)
	}
	return t
}

// cpuTable begins a table of the CPU, in cores. What the operating system counted goes
// before what the profile did.
func cpuTable(m *model.Model, title string, of []facts.CPUSite, flat bool) unpark.Table {
	t, scale := table(m, unpark.KindCPU, title, "cores", "s")
	t.Flat = flat
	sampled := m.Ev.CPU.Sampled.Or(0)
	if service, ok := m.Service.Get(); ok && len(m.Ev.Window.Processes) > 0 && sampled > 0 {
		t.Unit, scale = "cores", service/sampled
	}
	var rows []unpark.TableRow
	for _, s := range of {
		v := s.Self
		if flat {
			v = s.Flat
		}
		rows = append(rows, unpark.TableRow{Site: s.Site, Value: scale * v, Cum: unpark.Num(scale * s.Cum)})
	}
	return fill(t, scale*sampled, rows)
}

func ownTable(m *model.Model) unpark.Table {
	return cpuTable(m, "CPU by function of the application, with what it calls", m.Ev.CPU.Sites, false)
}

func flatTable(m *model.Model) unpark.Table {
	return cpuTable(m, "CPU by function, flat", m.Ev.CPU.Functions, true)
}

// waitsOf is what the waits are of: the block profile, or without one the execution
// trace, which has those of requests.
func waitsOf(m *model.Model) (k unpark.Kind, source string) {
	if !m.Present(unpark.KindBlock) && m.Traced() {
		return unpark.KindTrace, unpark.KindTrace.File()
	}
	return unpark.KindBlock, unpark.KindBlock.File()
}

// waitTable is the waits by place; those for a lock are in the table of locks.
func waitTable(m *model.Model) unpark.Table {
	kind, source := waitsOf(m)
	t, scale := table(m, kind, "Waits by place, but for locks and idle workers", "waiters", "s")
	var total, idle float64
	var rows []unpark.TableRow
	for _, w := range m.Ev.Waits {
		switch {
		case w.Source != source || w.Class == unpark.WaitLock:
		case w.Idle:
			idle += scale * w.Delay
		default:
			total += scale * w.Delay
			rows = append(rows, unpark.TableRow{Site: w.Waiter, Value: scale * w.Delay, Class: w.Class, Events: unpark.Num(w.Count)})
		}
	}
	t.Events = counted(rows)
	if idle > 0 {
		t.Note = fmt.Sprintf("%s %s more are workers and connections that wait for work", units.Say(idle, ""), t.Unit)
	}
	return fill(t, total, rows)
}

// lockTable is the contended locks of the application, by waiter and holder.
func lockTable(m *model.Model) unpark.Table {
	kind, _ := waitsOf(m)
	if kind == unpark.KindBlock && !m.Present(kind) {
		kind = unpark.KindMutex
	}
	t, scale := table(m, kind, "Waits for locks, by waiter and holder", "waiters", "s")
	var total float64
	var rows []unpark.TableRow
	for _, l := range m.Ev.Locks {
		delay := l.Delay
		if delay <= 0 {
			delay = l.Released
		}
		if l.Side == unpark.RuntimeSide || delay <= 0 {
			continue
		}
		row := unpark.TableRow{Site: l.Waiter, Value: scale * delay, Class: unpark.WaitLock, Events: unpark.Num(l.Count)}
		switch {
		case l.Waiter.IsZero():
			row.Site = l.Holder
		case !l.Holder.IsZero():
			row.Holder = pointer(l.Holder)
		}
		total += row.Value
		rows = append(rows, row)
	}
	t.Events = counted(rows)
	return fill(t, total, rows)
}

// counted sums the events of rows.
func counted(rows []unpark.TableRow) int64 {
	var n float64
	for _, row := range rows {
		n += row.Events.Or(0)
	}
	return int64(math.Round(n))
}

func allocTable(m *model.Model) unpark.Table {
	t, scale := table(m, unpark.KindAllocs, "Allocations, by line of the application", "B/s", "B")
	return allocated(t, scale, m.Ev.Allocs)
}

func heapTable(m *model.Model) unpark.Table {
	c := m.Ev.Coverage[unpark.KindHeap]
	return allocated(unpark.Table{Kind: unpark.KindHeap, Title: "Memory in use, by line of the application that allocated it", Unit: "B", Events: c.Events}, 1, m.Ev.Retained)
}

func allocated(t unpark.Table, scale float64, sites []facts.AllocSite) unpark.Table {
	var total float64
	var rows []unpark.TableRow
	for _, a := range sites {
		total += scale * a.Bytes
		rows = append(rows, unpark.TableRow{Site: a.Site, Value: scale * a.Bytes, Events: unpark.Num(a.Objects)})
	}
	return fill(t, total, rows)
}

// goroutineTable is where goroutines are, the idle ones as well: it is what the dump
// holds.
func goroutineTable(m *model.Model) unpark.Table {
	t := unpark.Table{Kind: unpark.KindGoroutine, Title: "Goroutines, by where they are", Unit: "goroutines"}
	var total, idle float64
	var rows []unpark.TableRow
	for _, g := range m.Ev.Goroutines {
		total += g.Mean
		if g.Idle {
			idle += g.Mean
		}
		rows = append(rows, unpark.TableRow{Site: g.Site, Value: g.Mean, Class: g.Class})
		t.Events = max(t.Events, int64(g.Snapshots))
	}
	if idle > 0 {
		t.Note = fmt.Sprintf("waiting for work: %s", units.Say(idle, ""))
	}
	return fill(t, total, rows)
}
