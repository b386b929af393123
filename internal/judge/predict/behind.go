package predict

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/roles"
)

// servesQueue reports whether a finding's CPU is spent in a function that ends most of the waits which limit the service, and
// computes meanwhile: without a station for it their queue would stay as it is, whatever is saved there. Requests that end each
// other's waits, and what a request has set to work, are no such server.
func servesQueue(s *service, f unpark.Finding) bool {
	if s.limit != unpark.LimitChannel {
		return false
	}
	return slices.ContainsFunc(s.m.Joins, func(w model.Wait) bool {
		if w.Explained || s.m.Share(w.Delay).Or(0) < model.BindingShare {
			return false
		}
		var all, here float64
		for _, e := range s.m.Edges([]unpark.WaitClass{w.Heaviest.Class}, w.Function()) {
			all += e.Delay
			in := e.Holder.Function
			if in != "" && (f.Site.Function == in || facts.Through(f.Path, in)) && !roles.On(e.HolderStack, roles.Request) {
				here += max(0, e.Delay*e.Spent(unpark.Running)-e.Served)
			}
		}
		return all > 0 && here >= model.BindingShare*all
	})
}
