package report

import (
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/units"
)

// searched prints the answer of a search and the rates that were tried.
func (p loadText) searched() {
	s := p.run.Search
	if s == nil {
		return
	}
	p.flow(line{say(heading, "HOLDS"), say(normal, "    ")}, say(strong, escape.Prose(s.Why)))
	p.head("PROBES")
	var rows [][]string
	var tones []tone
	for _, t := range s.Probes {
		verdict, mark := "holds", normal
		switch {
		case t.Void:
			verdict, mark = "void", quiet
		case !t.Holds:
			verdict, mark = strings.Join(t.Violations, ", "), caution
		}
		rows = append(rows, []string{escape.Prose(verdict), perSecond(t.RateRPS), perSecond(t.Achieved), units.Figure(t.P99, "s"), escape.Prose(t.Phase)})
		tones = append(tones, mark)
	}
	p.table(2, []string{"verdict", "req/s", "achieved", "p99", "phase"}, rows, tones)
	p.blank()
}

// searchParts is the answer of a search in a row of a run's report.
func searchParts(s *unpark.Search) []string {
	if s == nil {
		return nil
	}
	return []string{escape.Prose(s.Why), many(int64(len(s.Probes)), "probe")}
}
