package slowdown

import "github.com/unpark-go/unpark"

// scene is what bounds the service besides its sites.
type scene struct {
	CPU       float64 // of the service per request in the window of the finding, s; 0 when unknown
	Gap       float64 // between two answers in that window, s; 0 when unknown
	Cores     float64 // that its CPU may come from; 0 when unknown
	Generator float64 // CPU of the generator per request where it shares them, s
	// Least is the time between two answers that the load itself allows, s: of a closed
	// loop the time a request takes without waiting here, ÷ connections; of an open one
	// what is offered. 0 when unknown.
	Least float64
	Open  bool
}

// sceneOf reads the bounds from the window that the finding is from. On a machine that
// the generator shares, a request's CPU is that of both.
func sceneOf(r unpark.Run, w unpark.Window, f unpark.Finding) scene {
	var sc scene
	machine := float64(r.Target.MachineCores(r.Host, w))
	parallel := w.Total(func(p unpark.Process) unpark.Number { return p.GOMAXPROCS }).Or(0)
	used := w.Total(func(p unpark.Process) unpark.Number { return p.Cores }).Or(0)
	sc.Cores = r.Target.Cores(r.Host, w).Or(0)
	if parallel > 0 && (sc.Cores == 0 || parallel < sc.Cores) {
		sc.Cores = parallel
	}
	l := w.Load
	if l == nil || l.AchievedRPS <= 0 {
		return sc
	}
	sc.CPU, sc.Gap = used/l.AchievedRPS, 1/l.AchievedRPS
	if r.Target.Shares() && sc.Cores == machine {
		sc.Generator = l.GeneratorCPU.Or(0) / l.AchievedRPS
	}
	sc.Open = l.Mode.Open()
	switch {
	case sc.Open && l.OfferedRPS > 0:
		sc.Least = 1 / l.OfferedRPS
	case !sc.Open && w.Level.Connections > 0 && f.Class == unpark.ClassLock && l.Response.N > 0:
		rest := max(0, l.Response.Mean-f.Cost.WaitPerRequest.Value.Or(l.Response.Mean)) + r.Plan.Think
		sc.Least = rest / float64(w.Level.Connections)
	}
	return sc
}
