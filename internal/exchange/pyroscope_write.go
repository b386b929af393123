package exchange

import (
	"context"
	"strconv"

	"connectrpc.com/connect"
	pushv1 "github.com/grafana/pyroscope/api/gen/proto/go/push/v1"
	typesv1 "github.com/grafana/pyroscope/api/gen/proto/go/types/v1"

	"github.com/unpark-go/unpark"
)

// pushedAs is what Pyroscope calls a kind; "" of those that it does not know. A heap profile has the values of both memory kinds.
func pushedAs(k unpark.Kind) string {
	switch k {
	case unpark.KindCPU:
		return "process_cpu"
	case unpark.KindBlock, unpark.KindMutex, unpark.KindGoroutine:
		return string(k)
	case unpark.KindAllocs, unpark.KindHeap:
		return "memory"
	}
	return ""
}

// Push sends the profiles of a run, each file byte for byte, with the labels service_name, unpark_run, unpark_kind, unpark_window
// and pid, and returns how many. The label __delta__ says that values are of the window and not since the process started: without it
// Pyroscope subtracts the profile before.
func (p *Pyroscope) Push(ctx context.Context, s Set) (int, error) {
	n := 0
	for _, one := range s.Profiles {
		name := pushedAs(one.Kind)
		if name == "" {
			continue
		}
		labels := []*typesv1.LabelPair{
			{Name: "__delta__", Value: "false"},
			{Name: "__name__", Value: name},
			{Name: "pid", Value: strconv.Itoa(one.PID)},
			{Name: "service_name", Value: s.Service},
			{Name: "unpark_kind", Value: string(one.Kind)},
			{Name: "unpark_run", Value: s.Run},
			{Name: "unpark_window", Value: strconv.Itoa(one.Window)},
		}
		_, err := p.push.Push(ctx, connect.NewRequest(&pushv1.PushRequest{Series: []*pushv1.RawProfileSeries{{
			Labels: labels, Samples: []*pushv1.RawSample{{RawProfile: one.Data}},
		}}}))
		if err != nil {
			return n, p.explain("push "+one.Name+" to", err)
		}
		n++
	}
	return n, nil
}
