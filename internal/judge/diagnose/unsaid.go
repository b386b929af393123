package diagnose

import (
	"fmt"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// codeNoLoad is the code of the notice that there was no load.
const codeNoLoad = "no-load"

// Unsaid lists what cannot be said of a window without load, and how to get it: the
// rates and times that only a load gives, and the kinds that are not among the files.
func Unsaid(m *model.Model) []unpark.Notice {
	if m.Load != nil {
		return nil
	}
	out := []unpark.Notice{{
		Code:    codeNoLoad,
		Message: "What a request costs, what limits throughput or latency, and what a fix would buy: that takes the rate and the times of requests.",
		Cure:    underLoad(m.Ev.Plan.Mode, m.Ev.Target),
	}}
	for _, k := range []unpark.Kind{unpark.KindCPU, unpark.KindBlock, unpark.KindMutex, unpark.KindAllocs, unpark.KindGoroutine} {
		c := m.Ev.Coverage[k]
		if !c.Offered && !(k.Rated() && m.Traced()) { // a trace has the waits with both ends
			out = append(out, unpark.Notice{Code: "without-" + string(k), Message: tellsOf(k), Cure: fetch(k)})
		}
	}
	return out
}

// underLoad is what measures a target under load. Processes that were read by their numbers may have no endpoint; another generator
// drove it already, and what it printed was not understood.
func underLoad(mode unpark.Mode, target unpark.Target) string {
	if mode == unpark.External {
		return "unpark run --load-command '…' with a generator that prints one of the summaries named below, as k6, vegeta, oha and wrk do, or unpark's own load: -c or --rate"
	}
	pids := target.ByNumber()
	if len(pids) == 0 {
		return "unpark run --pprof http://HOST:PORT --url http://HOST:PORT/path, or unpark run --pkg ./cmd/server"
	}
	var named strings.Builder
	for _, pid := range pids {
		fmt.Fprintf(&named, " --pid %d", pid)
	}
	return "unpark run" + named.String() + " --url http://HOST:PORT/path"
}

// tellsOf says what a kind would add.
func tellsOf(k unpark.Kind) string {
	switch k {
	case unpark.KindCPU:
		return "What the CPU goes to: that is in the cpu profile."
	case unpark.KindBlock:
		return "Where goroutines wait for locks, channels and one another, and for how long: that is in the block profile."
	case unpark.KindMutex:
		return "Which code holds the locks that others wait for: that is in the mutex profile."
	case unpark.KindAllocs:
		return "What allocates: that is in the allocs profile."
	default:
		return "Where goroutines are that wait for the network, for files or for ever: that is in the goroutine profile, or in several."
	}
}

func fetch(k unpark.Kind) string {
	query := "?seconds=15"
	if k.Reading() == unpark.Snapshot {
		query = ""
	}
	cure := fmt.Sprintf("curl -o %s 'http://HOST:PORT/debug/pprof/%s%s'", k.File(), k.Endpoint(), query)
	switch k {
	case unpark.KindBlock:
		cure += ", after runtime.SetBlockProfileRate(1000000) in the service; unpark's probe leases the rate instead"
	case unpark.KindMutex:
		cure += ", after runtime.SetMutexProfileFraction(1) in the service; unpark's probe leases it instead"
	}
	return cure
}
