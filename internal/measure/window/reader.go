package window

import (
	"context"
	"encoding/json"

	"github.com/unpark-go/unpark"
)

// readerUse is what a reader of processes says of itself.
type readerUse struct {
	PID int     `json:"pid"`
	CPU float64 `json:"cpu_s"` // since it began
}

// readers are what those that read the members from outside have used so far, by their numbers: one may read several.
func (ms members) readers(ctx context.Context) map[int]float64 {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	out := map[int]float64{}
	for _, m := range ms {
		if !m.endpoint.attached() {
			continue
		}
		var r readerUse
		if b, err := m.endpoint.get(ctx, m.endpoint.root+"/debug/unpark/reader", maxGrant); err == nil && json.Unmarshal(b, &r) == nil && r.PID > 0 {
			out[r.PID] = r.CPU
		}
	}
	return out
}

// usedBy is what readers used between two readings of them, in seconds of CPU; unknown where there is none.
func usedBy(before, after map[int]float64) unpark.Number {
	sum, known := 0.0, false
	for pid, now := range after {
		if then, ok := before[pid]; ok {
			sum, known = sum+max(0, now-then), true
		}
	}
	if !known {
		return unpark.Number{}
	}
	return unpark.Num(sum)
}
