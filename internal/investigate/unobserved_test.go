package investigate

import (
	"math"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// TestUnobserved: what a document says of a process is without the capture, and stays so
// when the verdict is made again.
func TestUnobserved(t *testing.T) {
	w := unpark.Window{
		Start: time.Unix(0, 0), End: time.Unix(10, 0), Load: &unpark.Load{Requests: 100},
		Observer: unpark.Observer{CPU: 2, Alloc: unpark.Num(900)},
		Processes: []unpark.Process{{
			Cores: unpark.Num(0.3), CPUPerReq: unpark.Num(0.03), GCShare: unpark.Num(0.4),
			Metrics: unpark.Metrics{GCCPU: unpark.Num(1.2), AllocBytes: unpark.Num(1000)},
		}, {}},
	}
	for range 2 {
		unobserved(&w, facts.CPU{Cores: unpark.Num(0.3), Service: unpark.Num(0.1)})
		p := w.Processes[0]
		if math.Abs(p.CPUPerReq.Or(0)-0.01) > 1e-9 || math.Abs(p.GCShare.Or(0)-0.12) > 1e-9 || w.Processes[1].CPUPerReq.Known() {
			t.Errorf("%v s a request, %v for collecting", p.CPUPerReq, p.GCShare)
		}
	}
}
