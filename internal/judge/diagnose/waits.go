package diagnose

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/roles"
)

// waitFindings reports the felt ones of some pauses, those left out that happen
// below a lock which binds: they are facts of that lock.
func (r reading) waitFindings(rule string, class unpark.Class, pauses []pause,
	tell func(pause) (string, []unpark.Remedy),
) []unpark.Finding {
	queues := r.queues()
	var out []unpark.Finding
	for _, p := range pauses {
		if _, held := r.under(p, queues); held || !r.felt(p) || r.elsewhere(p) || len(out) == maxOfRule {
			continue
		}
		f := r.finding(rule, class, p)
		f.Title, f.Remedies = tell(p)
		out = append(out, f)
	}
	return out
}

// elsewhere reports that a pause is another one seen from its far end: a process
// that asks itself waits as the caller while it sleeps or dials as the other
// side. Two waits that do not fit one after the other into a request's time
// happen at the same time.
func (r reading) elsewhere(p pause) bool {
	share := r.share(p.delay).Or(0)
	switch {
	case p.wait.Class == unpark.WaitSleep:
		for _, other := range r.pauses(unpark.WaitDownstream) {
			if o := r.share(other.delay).Or(0); o >= explainedBy*share && o+share > 1.1 {
				return true
			}
		}
	case p.wait.Class == unpark.WaitDownstream:
		// The dialling goroutine of a Transport: who asked waits for the connection.
		return roles.Is(root(p.wait.Stack), roles.Transport)
	}
	return false
}
