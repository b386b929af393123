package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/units"
)

// processHeader names the columns of the process table.
func processHeader() []string {
	return []string{"pid", "P", "cores", "CPU/req", "threads", "goroutines", "RSS", "GC", "throttled", ""}
}

// processRow prints one process.
func processRow(p unpark.Process) []string {
	state := left(escape.Prose(p.State), 8)
	if p.State == "whole" {
		state = ""
	}
	return []string{
		strconv.Itoa(p.PID), units.Number(p.GOMAXPROCS, "count"), coresOnly(p.Cores), units.Number(p.CPUPerReq, "s"),
		units.Number(p.Threads, "count"), units.Number(p.Goroutines, "count"), units.Number(p.RSS, "B"),
		units.Number(p.GCShare, "ratio"), units.Number(p.Throttled, "s"), state,
	}
}

func coresOnly(n unpark.Number) string { return strings.TrimSuffix(units.Number(n, "cores"), " cores") }

// totalRow sums a window's processes. CPU per request is that of all cores over
// all requests; the share of GC is weighted by cores. A cgroup's throttling is
// reported by each of its members, so equal figures are one figure.
func totalRow(w unpark.Window) []string {
	all := w.Processes
	cores := total(all, func(p unpark.Process) unpark.Number { return p.Cores })
	perRequest := unpark.Number{}
	if w.Load != nil && cores.missing == 0 {
		perRequest = unpark.Ratio(cores.value, w.Load.AnsweredRPS())
	}
	gc := total(all, func(p unpark.Process) unpark.Number {
		share, ok := p.GCShare.Get()
		used, okCores := p.Cores.Get()
		if !ok || !okCores {
			return unpark.Number{}
		}
		return unpark.Num(share * used)
	})
	gcShare := unpark.Number{}
	if gc.missing == 0 && gc.known > 0 {
		gcShare = unpark.Ratio(gc.value, cores.value)
	}
	text := func(of func(unpark.Process) unpark.Number, unit string) string { return total(all, of).text(unit) }
	return []string{
		"total",
		text(func(p unpark.Process) unpark.Number { return p.GOMAXPROCS }, "count"),
		strings.TrimSuffix(cores.text("cores"), " cores"),
		units.Number(perRequest, "s"),
		text(func(p unpark.Process) unpark.Number { return p.Threads }, "count"),
		text(func(p unpark.Process) unpark.Number { return p.Goroutines }, "count"),
		text(func(p unpark.Process) unpark.Number { return p.RSS }, "B"),
		units.Number(gcShare, "ratio"),
		throttledTotal(all),
		"",
	}
}

func throttledTotal(all []unpark.Process) string {
	of := func(p unpark.Process) unpark.Number { return p.Throttled }
	for _, p := range all[1:] {
		if p.Throttled != all[0].Throttled {
			return total(all, of).text("s")
		}
	}
	return units.Number(all[0].Throttled, "s")
}

// processes prints the process table when there is more than one process.
func (p runText) processes() {
	w := p.run.Measured()
	if w == nil || len(w.Processes) < 2 {
		return
	}
	p.head("PROCESSES")
	var rows [][]string
	var tones []tone
	for _, process := range w.Processes {
		t := normal
		if process.State != "" && process.State != "whole" {
			t = caution
		}
		rows, tones = append(rows, processRow(process)), append(tones, t)
	}
	p.table(2, processHeader(), append(rows, totalRow(*w)), append(tones, strong))
	if note := workers(w.Processes); note != "" {
		p.flow(line{say(normal, "  ")}, say(quiet, note))
	}
}

// idleShare is the part of all cores up to which the parent of workers answers nothing
// itself.
const idleShare = 0.05

// workers says what bounds a service of one parent and its workers, each with one P:
// how many there are. Empty for any other service.
func workers(all []unpark.Process) string {
	var used, parents float64
	parent, n := 0, 0
	for _, p := range all {
		used += p.Cores.Or(0)
	}
	for _, p := range all {
		switch {
		case p.State == "died":
		case slices.ContainsFunc(all, func(child unpark.Process) bool { return child.Parent == p.PID }):
			parents += p.Cores.Or(0)
			parent = p.PID
		case p.GOMAXPROCS.Or(0) != 1:
			return ""
		default:
			n++
		}
	}
	if n == 0 || parent == 0 || parents > idleShare*used {
		return ""
	}
	return fmt.Sprintf("%s of process %d, each with GOMAXPROCS 1: how many of them there are is what bounds the cores that can be used. A prefork "+
		"server starts as many as the GOMAXPROCS of its parent says, so that GOMAXPROCS is the number of workers here", many(int64(n), "worker"), parent)
}
