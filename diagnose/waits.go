package diagnose

import "github.com/unpark-go/unpark"

// waitFindings reports the felt pauses of some classes, those left out that
// happen below a lock which binds: they are facts of that lock.
func waitFindings(ev unpark.Evidence, rule string, class unpark.Class, classes []unpark.WaitClass,
	tell func(unpark.Wait) (string, []unpark.Remedy)) []unpark.Finding {
	r := read(ev)
	queues := r.queues()
	var out []unpark.Finding
	for _, p := range r.pauses(classes...) {
		if _, held := r.under(p, queues); held || !r.felt(p) || len(out) == maxOfRule {
			continue
		}
		f := r.finding(rule, class, p)
		f.Title, f.Remedies = tell(p.wait)
		out = append(out, f)
	}
	return out
}
