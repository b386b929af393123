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

func targetParts(t unpark.Target) []string {
	var out []string
	if len(t.Command) > 0 {
		out = append(out, escape.Prose(commandText(t.Command)))
	}
	if t.Package != "" {
		out = append(out, "built from "+escape.Prose(t.Package))
	}
	if len(t.Command) == 0 && t.URL != "" {
		out = append(out, escape.Prose(t.URL))
	}
	if n := len(t.Pprof); n > 0 {
		text := "pprof " + escape.Prose(t.Pprof[0])
		if n > 1 {
			text += fmt.Sprintf(" and %d more", n-1)
		}
		out = append(out, text)
	}
	if t.Attach != nil {
		pids := make([]string, len(t.Attach.PIDs))
		for i, pid := range t.Attach.PIDs {
			pids[i] = strconv.Itoa(pid)
		}
		out = append(out, "process "+strings.Join(pids, ", "))
	}
	return out
}

func targetNotes(t unpark.Target) []string {
	var out []string
	if t.Module != "" {
		out = append(out, escape.Prose(t.Module))
	}
	if t.Revision != "" {
		out = append(out, "revision "+escape.Prose(t.Revision))
	}
	if t.Go != "" {
		out = append(out, escape.Prose(t.Go))
	}
	switch {
	case t.Quota.Known():
		out = append(out, "quota "+plainCores(t.Quota)+" ("+or(escape.Prose(t.Confinement), units.Unknown)+")")
	case t.Confinement != "":
		out = append(out, "confinement "+escape.Prose(t.Confinement))
	}
	if len(t.CPUs) > 0 {
		out = append(out, "on CPUs "+ranges(t.CPUs))
	}
	if t.Elsewhere {
		out = append(out, "not on this machine, as far as can be told")
	}
	if t.Probe {
		out = append(out, "through unpark's probe")
	}
	if t.Attach != nil {
		out = append(out, attachNote(*t.Attach))
	}
	return out
}

// attachNote says what was done to a process that was read from outside.
func attachNote(a unpark.Attach) string {
	var rates []string
	for _, w := range a.Writes {
		name := strings.TrimSuffix(w.Variable[strings.LastIndexByte(w.Variable, '.')+1:], "profilerate")
		if !slices.Contains(rates, name) {
			rates = append(rates, name)
		}
	}
	if len(rates) == 0 {
		return "read from outside, nothing written"
	}
	return "read from outside; rates set for that time: " + escape.Prose(strings.Join(rates, ", "))
}
