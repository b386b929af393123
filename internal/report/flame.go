package report

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/unpark-go/unpark"
)

// graph is a flame graph as the page embeds it. Data is base64 of gzip of a
// [columnar], so that 180 000 nodes take some hundred kilobytes and only the
// graph that is looked at is unpacked.
type graph struct {
	Kind  unpark.Kind `json:"kind"`
	Label string      `json:"label"` // of its tab
	Title string      `json:"title"`
	Data  string      `json:"data"`
	First *outline    `json:"-"` // of a large graph: what can be drawn before the rest of it is unpacked; nil without
}

// graphs packs the flame graphs of a run, in the order of the kinds. Graphs
// without a sample are left out.
func graphs(all []unpark.Flame) ([]graph, error) {
	var out []graph
	for _, kind := range unpark.Kinds() {
		for _, f := range all {
			if f.Kind != kind || len(f.Name) == 0 || !(f.Value[0] > 0) && !(len(f.Before) > 0 && f.Before[0] > 0) {
				continue
			}
			c, err := toColumns(f)
			if err != nil {
				return nil, fmt.Errorf("report: flame graph of %s: %w", f.Kind, err)
			}
			data, err := c.pack()
			if err != nil {
				return nil, fmt.Errorf("report: flame graph of %s: %w", f.Kind, err)
			}
			out = append(out, graph{Kind: kind, Label: graphLabel(f), Title: graphTitle(f), Data: data, First: c.outline()})
		}
	}
	return out, nil
}

// Graphs writes flame graphs as JSON, for a page that asks for them one after the other.
func Graphs(w io.Writer, flames []unpark.Flame) error {
	all, err := graphs(flames)
	if err != nil {
		return err
	}
	if err := json.NewEncoder(w).Encode(slices.Concat([]graph{}, all)); err != nil {
		return fmt.Errorf("report: write flame graphs: %w", err)
	}
	return nil
}

// ofMoment reports whether a graph is of an interval of a trace, in goroutines in the mean.
func ofMoment(f unpark.Flame) bool { return f.Unit == "goroutines" }

// graphLabel is the word on the tab of a graph.
func graphLabel(f unpark.Flame) string {
	switch {
	case ofMoment(f) && f.Kind == unpark.KindGoroutine:
		return "waiting"
	case ofMoment(f):
		return "running"
	}
	return string(f.Kind)
}

// graphTitle says what the width of a graph's nodes means.
func graphTitle(f unpark.Flame) string {
	switch f.Kind {
	case unpark.KindCPU, unpark.KindGoroutine:
		if ofMoment(f) {
			return "Goroutines " + graphLabel(f) + ", in the mean"
		}
	}
	switch f.Kind {
	case unpark.KindCPU:
		return "CPU time"
	case unpark.KindBlock:
		return "Waiting, by waiter"
	case unpark.KindMutex:
		return "Waiting, by holder of the lock"
	case unpark.KindAllocs:
		return "Bytes allocated"
	case unpark.KindHeap:
		return "Bytes in use"
	case unpark.KindGoroutine:
		return "Goroutines"
	default:
		return string(f.Kind)
	}
}
