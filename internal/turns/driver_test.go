package turns

import (
	"context"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/judge/functions"
)

// TestSampledAlike: from the round on in which an arm can be sampled less often, both are.
func TestSampledAlike(t *testing.T) {
	most := map[string]float64{"a": 1000, "b": 100}
	timed := func(_ context.Context, c investigate.Config, _ bool, _ investigate.Beside) (unpark.Run, bool, error) {
		rate := most[c.Command[0]]
		if c.CostsHertz > 0 {
			rate = min(rate, c.CostsHertz)
		}
		flame := unpark.Flame{Kind: unpark.KindCPU, Unit: "s", Names: []string{"all\x00", "main.f\x00main.go:1"}, Name: []int{0, 1}, Depth: []int{0, 1}, Self: []float64{0, 1}, Value: []float64{1, 1}}
		w := unpark.Window{
			Load:     &unpark.Load{Requests: 100},
			Profiles: []unpark.ProfileFile{{Kind: unpark.KindCPU, Rate: unpark.Num(rate)}},
		}
		return unpark.Run{Windows: []unpark.Window{w}, Flames: []unpark.Flame{flame}}, false, nil
	}
	d := New(investigate.Config{}, 1)
	d.Timed, d.Yardstick = timed, nil
	var got []float64
	for _, name := range []string{"a", "b", "a", "b"} {
		b, err := d.Build(t.Context(), name, Arm{Command: []string{name}})
		if err != nil {
			t.Fatal(err)
		}
		m, err := d.Measure(t.Context(), b, name)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, m.Costs[functions.CPU].Rate)
	}
	if got[0] != 1000 || got[1] != 100 || got[2] != 100 || got[3] != 100 {
		t.Errorf("the arms were sampled at %v Hz", got)
	}
}
