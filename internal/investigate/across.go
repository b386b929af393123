package investigate

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/across"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
	"github.com/unpark-go/unpark/internal/judge/evidence"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/judge/predict"
)

// side is a service that the target asks, as it was captured.
type side struct {
	name   string
	target unpark.Target
	in     evidence.Input
}

// judgeAcross completes a run of which other services were captured as well, with what the
// evidence of the target and of each of them comes to.
func judgeAcross(run *unpark.Run, ev facts.Evidence, own evidence.Input, sides []side) {
	name := nameOf(run.Target)
	var callees []facts.Evidence
	for _, s := range sides {
		callee, _, notices := evidence.Reduce(s.in)
		callees = append(callees, callee)
		for _, n := range notices {
			n.Message = s.name + ": " + n.Message
			run.Warnings = append(run.Warnings, n)
		}
	}
	beside := across.Along(ev, callees...)
	run.Warnings = append(run.Warnings, busyHost(beside)...)
	decide(run, beside)
	m := model.New(beside)
	var all []across.Verdict
	for i, s := range sides {
		j := across.Join(across.Side{Name: name, Ev: ev}, across.Side{Name: s.name, Ev: callees[i]})
		j = matched(run, own, s, j)
		all = append(all, felt(run, s, callees[i], m, j))
	}
	for i := range run.Findings {
		for j, v := range all {
			if v.Service.Join.Unsure == "" {
				fm := model.New(across.Felt(callees[j], m.Ev, v.Service.Join))
				run.Findings[i].Prediction = predict.Within(run.Findings[i].Prediction, fm, v.Service.Limit.Kind, v.Service.Name)
			}
		}
	}
	limit, findings := across.Lead(name, run.Limit, run.Findings, ev.CPU.Cores.Or(0), all...)
	run.Limit, run.Findings = limit, predict.Rank(findings)
	run.Services = nil
	for _, v := range all {
		run.Services = append(run.Services, v.Service)
	}
	tell(run)
}

// felt is the verdict of one service as the requests of the run feel it.
func felt(run *unpark.Run, s side, callee facts.Evidence, m *model.Model, j unpark.Join) across.Verdict {
	ev := across.Felt(callee, m.Ev, j)
	limit, findings, notices := diagnose.Verdict(ev, run.Void)
	for _, n := range notices {
		n.Message = s.name + ": " + n.Message
		run.Warnings = append(run.Warnings, n)
	}
	fm := model.New(across.Whole(ev, m.Ev))
	for i := range findings {
		findings[i].Prediction = predict.Predict(fm, limit, findings[i])
		if j.Unsure != "" {
			findings[i].Prediction = unpark.Prediction{NextLimit: limit.Kind, Assumptions: []string{"no forecast of the whole: " + j.Unsure}}
			continue
		}
		findings[i].Prediction = predict.Within(findings[i].Prediction, m, run.Limit.Kind, nameOf(run.Target))
	}
	w := callee.Window
	w.Tracing = callee.Tracing
	return across.Verdict{
		Service:  unpark.Service{Name: s.name, Target: s.target, Window: w, Limit: limit, Join: j},
		Findings: predict.Rank(findings), Cores: callee.CPU.Cores.Or(0),
	}
}
