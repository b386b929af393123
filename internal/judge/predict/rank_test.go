package predict_test

import (
	"fmt"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/predict"
)

func TestRank(t *testing.T) {
	q := func(v float64) unpark.Quantity { return unpark.Measured(v, "ratio", 1) }
	find := func(name string, class unpark.Class, share float64, p unpark.Prediction) unpark.Finding {
		return unpark.Finding{Rule: "r", Class: class, Site: unpark.Site{Function: name}, Share: unpark.Num(share), Prediction: p}
	}
	between := func(name string, gain unpark.Quantity) unpark.Finding {
		f := find(name, unpark.ClassRateLimit, 0.5, unpark.Prediction{Throughput: gain})
		f.Path = []unpark.Site{{Function: "runtime.selectgo"}, {Function: "github.com/hashicorp/go-retryablehttp.(*Client).Do"}, f.Site}
		return f
	}
	of := func(name, culprit string) unpark.Finding {
		f := find(name, unpark.ClassRateLimit, 0.9, unpark.Prediction{Throughput: unpark.Between(3, 2, 4, "ratio", 1)})
		f.Culprit = &unpark.Site{Function: culprit}
		return f
	}
	ramp := unpark.Prediction{NextLimit: unpark.LimitQuota}
	nothing := unpark.Prediction{Throughput: q(1.003), P99: q(0.997), P50: q(0.997)}
	little := nothing
	little.Throughput = unpark.Between(1.001, 0.97, 1.06, "ratio", 1)
	for _, c := range []struct {
		name string
		in   []unpark.Finding
		want string
	}{
		{"what buys something, what may, what does not", []unpark.Finding{
			find("leak", unpark.ClassLeak, 0, unpark.Prediction{}),
			find("worthless", unpark.ClassLock, 1, nothing),
			find("cpu", unpark.ClassCPU, 0.3, unpark.Prediction{Throughput: q(1.4), P99: q(0.7), P50: q(0.7)}),
			find("b", unpark.ClassLock, 0.2, unpark.Prediction{Throughput: q(1), P99: q(0.1), P50: q(0.3)}),
			find("a", unpark.ClassLock, 0.2, unpark.Prediction{Throughput: q(1), P99: q(0.1), P50: q(0.3)}),
			find("slight", unpark.ClassAlloc, 0.1, little),
		}, "[a b cpu leak slight worthless]"},
		{"a ramp: no ratios, the function that fills the quota first", []unpark.Finding{
			find("quota", unpark.ClassQuota, 1, ramp), find("library", unpark.ClassLock, 0.9, ramp), find("hot", unpark.ClassCPU, 0.6, ramp),
		}, "[hot quota library]"},
		{"a quota after what fills it, where it cannot be told which buys more", []unpark.Finding{
			find("quota", unpark.ClassQuota, 0, unpark.Prediction{Throughput: unpark.Between(1.34, 0.97, 1.73, "ratio", 1)}),
			find("cause", unpark.ClassCPU, 0.5, unpark.Prediction{Throughput: unpark.Between(1.23, 0.96, 1.6, "ratio", 1)}),
			find("worthless", unpark.ClassLock, 1, nothing),
		}, "[cause quota worthless]"},
		{"a quota that buys more than any fix", []unpark.Finding{
			find("cause", unpark.ClassCPU, 0.5, unpark.Prediction{Throughput: unpark.Between(1.23, 0.96, 1.6, "ratio", 1)}),
			find("quota", unpark.ClassQuota, 0, unpark.Prediction{Throughput: unpark.Between(3, 2.5, 3.5, "ratio", 1)}),
		}, "[quota cause]"},
		{"a quota that stalls what is offered and answered all the same", []unpark.Finding{
			find("worthless", unpark.ClassLock, 1, nothing), find("quota", unpark.ClassQuota, 0.1, unpark.Prediction{Throughput: q(1), NextLimit: unpark.LimitCPU}),
			find("limit", unpark.ClassLock, 0.1, unpark.Prediction{NextLimit: unpark.LimitLock}), find("other", unpark.ClassPool, 0.9, unpark.Prediction{NextLimit: unpark.LimitLock}),
		}, "[limit other quota worthless]"},
		{"a wait that is wanted, beside what moves p99 at most: by so little that the opposite is foretold as well, and for sure", []unpark.Finding{
			find("perhaps", unpark.ClassDownstream, 0.03, unpark.Prediction{Throughput: q(1), P50: q(1), P99: unpark.Between(0.94, 0.57, 1.78, "ratio", 1)}),
			find("limiter", unpark.ClassRateLimit, 0.97, unpark.Prediction{Throughput: unpark.Quantity{Low: unpark.Num(1.9), Unit: "ratio"}}),
			find("tail", unpark.ClassLock, 0.03, unpark.Prediction{Throughput: q(1), P50: q(1), P99: unpark.Between(0.6, 0.3, 1.2, "ratio", 1)}),
			find("worthless", unpark.ClassLock, 1, nothing),
		}, "[tail limiter perhaps worthless]"},
		{"a wait that is wanted, and one between attempts", []unpark.Finding{
			find("limiter", unpark.ClassRateLimit, 0.9, unpark.Prediction{Throughput: unpark.Between(9, 8, 10, "ratio", 1)}),
			find("worthless", unpark.ClassLock, 1, nothing),
			find("cause", unpark.ClassDownstream, 0.1, unpark.Prediction{Throughput: unpark.Between(1.1, 1.05, 1.2, "ratio", 1)}),
			between("retry", unpark.Between(3, 2, 4, "ratio", 1)),
		}, "[retry cause limiter worthless]"},
		{"a library's own timer is no limit that the program asked for", []unpark.Finding{
			of("limiter", "golang.org/x/time/rate.(*Limiter).Wait"), of("poll", "example.com/db.(*Conn).wait"),
			find("cause", unpark.ClassCPU, 0.6, unpark.Prediction{Throughput: unpark.Between(1.1, 1.05, 1.2, "ratio", 1)}),
		}, "[poll cause limiter]"},
		{"what the slowest feel counts where it is more than what all feel", []unpark.Finding{
			find("mean", unpark.ClassCPU, 0.3, unpark.Prediction{Throughput: q(1.5), P99: q(0.7)}),
			find("tail", unpark.ClassLock, 0.1, unpark.Prediction{Throughput: q(1.1), P99: q(0.2)}),
			find("less", unpark.ClassLock, 0.1, unpark.Prediction{Throughput: q(1.1), P99: q(0.8)}),
		}, "[tail mean less]"},
	} {
		var got []string
		for i, f := range predict.Rank(c.in) {
			got = append(got, f.Site.Function)
			if f.Rank != i+1 {
				t.Errorf("%s: %s has rank %d at place %d", c.name, f.Site.Function, f.Rank, i)
			}
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%s: order %v, want %s", c.name, got, c.want)
		}
		if c.in[0].Rank != 0 {
			t.Error("the argument was changed")
		}
	}
}
