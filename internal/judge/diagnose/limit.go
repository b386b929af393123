package diagnose

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// question asks whether one sort of thing binds. Ask returns false when it does not.
type question struct {
	kind unpark.LimitKind
	doc  string
	ask  func(m *model.Model, void []unpark.Notice) (answer, bool)
}

// answer is what a question comes to.
type answer struct {
	kind        unpark.LimitKind
	utilization unpark.Quantity
	ceiling     unpark.Quantity
	reason      reason
}

// reason is why, with the values that are not in the model. The words are in
// sentences.go; nothing decides by them.
type reason interface{ say(m *model.Model) string }

// questions returns the order of thought. An earlier answer makes the later ones
// meaningless: waiting for a lock means nothing while the holder waits for a
// processor.
func questions() []question {
	return []question{
		{unpark.LimitGenerator, "Is the run void because the generator was the limit?", generatorBound},
		{unpark.LimitUnknown, "Is the run void for another reason?", voided},
		{unpark.LimitUnknown, "Are CPU and a lock both near saturation, so that either may cause the other?", contradictory},
		{unpark.LimitQuota, "Is the target stopped by its CPU quota?", quotaBound},
		{unpark.LimitGC, "Is CPU full, and a large part of it the collector and the allocator?", gcBound},
		{unpark.LimitCPU, "Is CPU full, of the target or of the machine it shares with the generator?", cpuBound},
		{unpark.LimitCPU, "Is one of several processes full, and has most of the work?", workerBound},
		{unpark.LimitLock, "Is a lock near saturation?", lockBound},
		{unpark.LimitUnknown, "Does another wait fill half of a request's time?", waitBound},
		{unpark.LimitGC, "Do requests wait for the collector before CPU is full?", gcFelt},
		{unpark.LimitCPU, "Is the machine full with the work of others?", crowded},
		{unpark.LimitNetwork, "Do requests wait for their client to take the answer?", networkBound},
		{unpark.LimitUnknown, "Is something needed missing, or is a request's time unexplained?", unexplained},
		{unpark.LimitConnections, "Is it a closed loop, in which something always binds?", turns},
	}
}

// bind asks what binds. Of a ramp that became too much for the service it asks about the
// stretch where it did: the mean of an idle begin and a full end is neither.
func bind(m *model.Model, void []unpark.Notice, findings []unpark.Finding) unpark.Limit {
	before := ""
	if s, fell := m.FellBehind(); fell && len(void) == 0 {
		m, before = m.During(s), sayStretch(s)+"; "
	}
	a := healthy(m, findings)
	for _, q := range questions() {
		if found, ok := q.ask(m, void); ok {
			a = found
			break
		}
	}
	if cpu, ok := cpuBound(m, void); ok && a.kind == unpark.LimitGC && computesMore(m, findings) {
		a = cpu // of what fills it, something else is more than its garbage
	}
	if a.kind == unpark.LimitCPU && len(findings) == 0 {
		a.reason = byMany{a.reason}
	}
	return unpark.Limit{Kind: a.kind, Utilization: a.utilization, Ceiling: a.ceiling, Why: before + a.reason.say(m)}
}

// ceiling returns rate ÷ used: what the binding resource could carry when it is
// full; unknown without load. The reached rate is always a lower bound.
func ceiling(m *model.Model, used float64) unpark.Quantity {
	if m.RPS <= 0 || used <= 0 {
		return unpark.Quantity{}
	}
	if m.Stretch != nil {
		used = 1 // what it answered while more was offered is what it can
	}
	v := max(m.RPS, m.RPS/used)
	return unpark.Between(v, max(m.RPS, v*(1-spread)), v*(1+spread), "req/s", int64(m.Requests))
}

// cpuCeiling is the ceiling by the cores that are used: those that the observer took
// are there for requests when it is gone.
func cpuCeiling(m *model.Model, used float64) unpark.Quantity { return ceiling(m, used*(1-m.Observer)) }

func utilization(v float64) unpark.Quantity {
	return unpark.Between(v, v*(1-spread), min(1, v*(1+spread)), "ratio", 1)
}
