package exectrace

import "golang.org/x/exp/trace"

// pace follows collections, and how many processors there are for them. Their two figures are written while the world is stopped for the end of
// marking (runtime/mgc.go, gcMarkTermination), and by themselves whenever a trace begins a new part.
type pace struct {
	ending bool // the world is stopped for that
	now    uint64
	// By collection: see Trace.
	live, goals []uint64

	procs int
}

// stopTheWorld is the range in which a collection ends (runtime/traceruntime.go).
const stopTheWorld = "stop-the-world (GC mark termination)"

func (p *pace) stops(name string, begins bool) {
	if name == stopTheWorld {
		p.ending, p.now = begins, 0
	}
}

func (p *pace) metric(m trace.Metric) {
	if m.Value.Kind() != trace.ValueUint64 {
		return
	}
	if v := m.Value.Uint64(); m.Name == "/sched/gomaxprocs:threads" && v < mostProcs {
		p.procs = int(v)
	}
	if !p.ending {
		return
	}
	switch v := m.Value.Uint64(); m.Name {
	case "/memory/classes/heap/objects:bytes":
		p.now = v
	case "/gc/heap/goal:bytes":
		if p.now > 0 && v < off {
			p.live, p.goals = append(p.live, p.now), append(p.goals, v)
			p.now = 0
		}
	}
}

// mostProcs bounds what is believed of GOMAXPROCS.
const mostProcs = 1 << 20

// off is a goal that no heap reaches: GOGC=off.
const off = 1 << 50
