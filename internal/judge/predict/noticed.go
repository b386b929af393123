package predict

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// Noticed leaves out waits that are not worth a line: a fix would buy nothing here, and they are less of a request's time than
// a gain that is sure (unpark.Prediction.BuysNothing). What makes the slowest requests slow has a p99 that falls, and stays.
func Noticed(m *model.Model, fs []unpark.Finding) []unpark.Finding {
	l, err := loadOf(m)
	if err != nil || l.mean <= 0 {
		return fs
	}
	return slices.DeleteFunc(slices.Clone(fs), func(f unpark.Finding) bool {
		wait, known := f.Cost.WaitPerRequest.Value.Get()
		return known && f.Waiter != nil && f.Prediction.BuysNothing() && wait < 2*unpark.LeastGain*l.mean
	})
}
