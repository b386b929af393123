package investigate

import (
	"fmt"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
	"github.com/unpark-go/unpark/internal/judge/evidence"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/judge/predict"
	"github.com/unpark-go/unpark/internal/measure/load"
	"github.com/unpark-go/unpark/internal/measure/load/search"
	"github.com/unpark-go/unpark/internal/measure/window"
)

// conclude turns what was measured into the verdict. With several levels, the
// one with the highest throughput is diagnosed: that is where the limit binds.
func (r *runner) conclude(measured []window.Contents) {
	for _, c := range measured {
		r.rec.run.Warnings = append(r.rec.run.Warnings, c.Warnings...)
		r.rec.run.Windows = append(r.rec.run.Windows, c.Window)
	}
	if len(measured) == 0 {
		return
	}
	r.rec.triggered()
	i := r.rec.run.MeasuredAt()
	in := r.input(measured[i])
	for j, c := range measured {
		if j != i && c.Window.Load != nil {
			in.Doses = append(in.Doses, dose(&r.rec.run, j, r.input(c)))
		}
	}
	conclude(&r.rec.run, i, in, r.service.shared(), r.captured(i)...)
	spread(&r.rec.run, i, r.dir.Path())
	offered(&r.rec.run)
	r.rec.run.Scaling = scaling(r.rec.run.Plan, measured)
}

// input is one window's profiles for the evidence.
func (r *runner) input(c window.Contents) evidence.Input {
	return evidence.Input{
		Host: r.rec.run.Host, Target: r.rec.run.Target, Plan: r.rec.run.Plan, Window: c.Window,
		Profiles: c.Profiles, Snapshots: c.Snapshots, Lost: c.Lost,
		Traces: traceFiles(r.dir.Path(), c.Window),
	}
}

// dose reduces window i, which is not the one that is diagnosed, to what a second
// load level tells.
func dose(run *unpark.Run, i int, in evidence.Input) facts.Dose {
	ev, _, _ := evidence.Reduce(in)
	run.Windows[i].Tracing = ev.Tracing
	return facts.Dose{Level: in.Window.Level, RPS: in.Window.Load.AchievedRPS, Seconds: ev.Seconds, Waits: ev.Waits}
}

// scaling says what a sweep shows about throughput against load.
func scaling(plan unpark.Plan, measured []window.Contents) *unpark.Scaling {
	var levels []search.Level
	for _, c := range measured {
		if c.Window.Load != nil {
			levels = append(levels, search.Level{At: c.Window.Level, Load: *c.Window.Load})
		}
	}
	if s, ok := search.ScalingOf(levels, plan.Seed); ok && plan.Mode == unpark.Sweep {
		return &s
	}
	return nil
}

// conclude completes a run from the input of its window i, and of the services beside it.
func conclude(run *unpark.Run, i int, in evidence.Input, shared bool, sides ...side) {
	ev, flames, notices := evidence.Reduce(in)
	run.Warnings = append(run.Warnings, notices...)
	run.Flames = flames
	run.Windows[i].Tracing = ev.Tracing
	run.Windows[i].Observer = ev.Window.Observer
	run.Windows[i].Processes = ev.Window.Processes
	unobserved(&run.Windows[i], ev)

	if l := ev.Window.Load; l != nil {
		void, warnings := load.Judge(*l, load.Conditions{
			CPUs: ev.Window.Machine.GeneratorCPUs, Quota: ev.Window.Machine.GeneratorQuota, Shared: shared,
			TargetCores: ev.CPU.Cores, TargetAllowed: ev.CPU.Allowed,
			Machine: ev.Window.Machine.Busy, Steal: ev.Window.Machine.Steal,
		})
		run.Void = append(run.Void, void...)
		run.Warnings = append(run.Warnings, applicable(*l, warnings)...)
	}
	if len(sides) > 0 {
		judgeAcross(run, ev, in, sides)
		return
	}
	run.Warnings = append(run.Warnings, busyHost(ev)...)
	judge(run, ev)
}

// judge completes a run with what its evidence comes to.
func judge(run *unpark.Run, ev facts.Evidence) {
	decide(run, ev)
	tell(run)
}

// tell takes back what is too wide to say of every forecast of a run: the one place where that is done, after all
// that ranks and folds by what was computed.
func tell(run *unpark.Run) {
	for _, all := range [][]unpark.Finding{run.Findings, run.Costs} {
		for i := range all {
			all[i].Prediction = predict.Said(all[i].Prediction)
		}
	}
	if b := run.Blocking; b != nil && b.First != nil {
		b.First.Prediction = predict.Said(b.First.Prediction)
	}
}

// decide finds the limit, the findings with what each buys, and what the CPU goes to besides.
func decide(run *unpark.Run, ev facts.Evidence) {
	limit, findings, missing := diagnose.Verdict(ev, run.Void)
	run.Warnings = append(run.Warnings, missing...)
	m := model.New(ev)
	for i := range findings {
		findings[i].Prediction = predict.Predict(m, limit, findings[i])
	}
	run.Limit, run.Findings = limit, predict.Rank(predict.Noticed(m, findings))
	run.Costs = diagnose.Costs(m, limit, findings)
	for i := range run.Costs {
		run.Costs[i].Rank = i + 1
		run.Costs[i].Prediction = predict.Predict(m, limit, run.Costs[i])
	}
	run.Tables, run.Unsaid = diagnose.Tables(m), diagnose.Unsaid(m)
	if b, ok := diagnose.Blocking(m); ok {
		if b.First != nil {
			b.First.Rank = 1 // of the places of blocking
			b.First.Prediction = predict.Predict(m, limit, *b.First)
			if p := b.First.Prediction; p.Throughput.Value.Or(1) > 1+unpark.LeastGain && !slices.ContainsFunc(run.Findings, b.First.Near) {
				b.First.Prediction = unpark.Prediction{} // no rule stands for the promise
			}
		}
		run.Blocking = &b
	}
}

// unobserved takes the observer's part out of what requests cost each process, and out
// of what its collector took. That is the runtime's own account, or, where that says nothing of the
// CPU that was used, the profile's, which is of all processes.
func unobserved(w *unpark.Window, ev facts.Evidence) {
	cpu := ev.CPU
	cores, ok := cpu.Cores.Get()
	if !ok || cores <= 0 {
		return
	}
	var allocated float64
	for _, p := range w.Processes {
		allocated += p.Metrics.AllocBytes.Or(0)
	}
	garbage := 0.0 // the observer's part
	if v := w.Observer.Alloc.Or(0); v > 0 && allocated > 0 {
		garbage = min(1, v/allocated)
	}
	own := cpu.OfService().Or(cores) / cores * w.Seconds()
	for i := range w.Processes {
		p := &w.Processes[i]
		used, known := p.Cores.Get()
		if !known {
			continue
		}
		if w.Load != nil {
			p.CPUPerReq = unpark.Ratio(used*own, w.Load.Answered())
		}
		switch gc, ok := p.Metrics.GCCPU.Get(); {
		case !ok:
		case ev.GC.CPUShare.Known():
			p.GCShare = unpark.Ratio(gc*(1-garbage), used*own)
		case len(w.Processes) == 1:
			p.GCShare = cpu.Shares.GC
		default:
			p.GCShare = unpark.Number{} // the profile's is not told apart by process
		}
	}
}

// busyHost warns when something else kept the machine busy: services of the run are nothing else.
func busyHost(ev facts.Evidence) []unpark.Notice {
	w := ev.Window
	others, known := w.OtherCores(ev.CPU.Cores).Get()
	others = max(0, others-ev.Along)
	if !known || !ev.Target.Shares() || !w.FilledBy(others) {
		return nil
	}
	return []unpark.Notice{{
		Code: "busy-host",
		Message: fmt.Sprintf("%.2f of %.2f busy cores were neither the service's nor the generator's: times are longer than on a quiet machine",
			others, w.Machine.Busy.Or(0)+w.Machine.Steal.Or(0)),
		Cure: "stop what else runs here, or measure elsewhere",
	}}
}
