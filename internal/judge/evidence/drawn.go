package evidence

import "github.com/unpark-go/unpark/internal/facts/sampled"

// requestsOf is a sample of the requests of all traces, with what each spent its time in.
func requestsOf(ts *traces) []sampled.Request {
	var n int64
	for _, i := range ts.fair {
		n += ts.requests(i).Count
	}
	if n == 0 {
		return nil
	}
	sample := ts.sample(n)
	out := make([]sampled.Request, len(sample))
	for i, q := range sample {
		out[i].Wall = seconds(q.request.Wall)
		out[i].Spent = make([]sampled.Spent, 0, len(q.request.Spent))
		for _, s := range q.request.Spent {
			at := ts.rowOf(q.trace, s)
			out[i].Spent = append(out[i].Spent, sampled.Spent{Class: at.state.Class(), Function: at.site.Function, Seconds: seconds(s.Time)})
		}
	}
	return out
}
