package report

import (
	"fmt"

	"github.com/unpark-go/unpark"
)

// graph is a flame graph as the page embeds it. Data is base64 of gzip of a
// [columnar], so that 180 000 nodes take some hundred kilobytes and only the
// graph that is looked at is unpacked.
type graph struct {
	Kind  unpark.Kind
	Title string
	Data  string
	First *outline // of a large graph: what can be drawn before the rest of it is unpacked; nil without
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
			out = append(out, graph{Kind: kind, Title: graphTitle(kind), Data: data, First: c.outline()})
		}
	}
	return out, nil
}

// graphTitle says what the width of a graph's nodes means.
func graphTitle(k unpark.Kind) string {
	switch k {
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
		return string(k)
	}
}
