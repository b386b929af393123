package agent

import (
	"encoding/json"
	"math"
	"net/http"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// Schema names the version of what the agent speaks.
const Schema = "unpark.probe/v1"

// info serves /debug/unpark/info.
func (a *Agent) info(w http.ResponseWriter, _ *http.Request) {
	block, known, mutex, leased := process.rates()
	page := struct {
		Schema     string    `json:"schema"`
		PID        int       `json:"pid"`
		Parent     int       `json:"ppid"`
		Go         string    `json:"go"`
		GOMAXPROCS int       `json:"gomaxprocs"`
		NumCPU     int       `json:"num_cpu"`
		Module     string    `json:"module"`
		Own        []string  `json:"own"` // beside it
		Path       string    `json:"path"`
		Started    time.Time `json:"started"`
		Block      *int      `json:"block_rate"`
		Mutex      int       `json:"mutex_fraction"`
		Leased     bool      `json:"leased"`
		Flight     bool      `json:"flight_recorder"` // it can be armed
		Vitals     bool      `json:"vitals"`          // they can be followed
		Middleware bool      `json:"middleware"`      // probe.Handler is in use: requests can be timed
		Boot       string    `json:"boot_id,omitempty"`
		StartTicks uint64    `json:"start_ticks,omitempty"`
	}{
		Schema: Schema, PID: os.Getpid(), Parent: os.Getppid(),
		Go: runtime.Version(), GOMAXPROCS: runtime.GOMAXPROCS(0), NumCPU: runtime.NumCPU(),
		Started: a.started, Mutex: mutex, Leased: leased, Flight: canFly,
		Vitals: true, Middleware: process.requests.used.Load(),
	}
	if known {
		page.Block = &block
	}
	who := whoami()
	page.Boot, page.StartTicks = who.boot, who.start
	if build, ok := debug.ReadBuildInfo(); ok {
		page.Module, page.Path, page.Own = build.Main.Path, build.Path, beside(build.Deps)
	}
	serveJSON(w, page)
}

// beside returns the modules that were built from folders: those of the program's
// workspace, and those that a replace directive takes from one. What comes from a
// folder has no version but "(devel)" (cmd/go/internal/load/pkg.go: setBuildInfo).
func beside(deps []*debug.Module) []string {
	out := []string{}
	for _, m := range deps {
		version := m.Version
		if m.Replace != nil {
			version = m.Replace.Version
		}
		if version == "" || version == "(devel)" {
			out = append(out, m.Path)
		}
	}
	return out
}

// usage is what this process has used since it started.
type usage struct {
	cpu, system                    float64 // seconds; system is the part inside the kernel
	faults, voluntary, involuntary int64   // minor page faults, context switches
}

// metrics serves /debug/unpark/metrics: every metric of the runtime, read at once,
// and beside them what the process has used, which the runtime has no up-to-date
// metric of (/cpu/classes is brought up to date by collections alone). An observer on
// another machine, or outside of the container, has it from nowhere else.
func (a *Agent) metrics(w http.ResponseWriter, _ *http.Request) {
	costed(w, func() { serveMetrics(w) })
}

func serveMetrics(w http.ResponseWriter) {
	all := metrics.All()
	samples := make([]metrics.Sample, len(all))
	for i := range all {
		samples[i].Name = all[i].Name
	}
	at := time.Now()
	metrics.Read(samples)
	values := make(map[string]interface{}, len(samples))
	for _, s := range samples {
		switch s.Value.Kind() {
		case metrics.KindUint64:
			values[s.Name] = s.Value.Uint64()
		case metrics.KindFloat64:
			values[s.Name] = finite(s.Value.Float64())
		case metrics.KindFloat64Histogram:
			values[s.Name] = newHistogram(s.Value.Float64Histogram())
		}
	}
	page := map[string]interface{}{"at": at.UTC().Format(time.RFC3339Nano), "metrics": values}
	if u, ok := ownUsage(); ok {
		page["cpu_s"], page["system_s"], page["minor_faults"] = u.cpu, u.system, u.faults
		page["voluntary_switches"], page["involuntary_switches"] = u.voluntary, u.involuntary
	}
	serveJSON(w, page)
}

// histogram has one more edge than counts; an infinite edge is nil.
type histogram struct {
	Counts  []uint64      `json:"counts"`
	Buckets []interface{} `json:"buckets"`
}

func newHistogram(h *metrics.Float64Histogram) histogram {
	edges := make([]interface{}, len(h.Buckets))
	for i, edge := range h.Buckets {
		edges[i] = finite(edge)
	}
	return histogram{Counts: h.Counts, Buckets: edges}
}

// finite returns v, or nil where JSON has no number for it.
func finite(v float64) interface{} {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return nil
	}
	return v
}

func serveJSON(w http.ResponseWriter, v interface{}) {
	b, err := json.Marshal(v)
	if err != nil {
		serveError(w, http.StatusInternalServerError, err.Error())
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(append(b, '\n'))
}
