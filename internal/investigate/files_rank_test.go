package investigate

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/unpark-go/unpark"
)

// blockFile writes a block profile of waits for one lock.
func blockFile(t *testing.T) string {
	t.Helper()
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "contentions", Unit: "count"}, {Type: "delay", Unit: "nanoseconds"}},
		PeriodType: &profile.ValueType{Type: "contentions", Unit: "count"}, Period: 1, TimeNanos: 1, DurationNanos: 10e9,
	}
	sample := &profile.Sample{Value: []int64{4000, 60e9}}
	for i, name := range []string{"sync.(*Mutex).Lock", "example.com/shop.(*Store).Get", "example.com/shop.handle", "net/http.HandlerFunc.ServeHTTP", "net/http.(*conn).serve"} {
		f := &profile.Function{ID: uint64(i + 1), Name: name, Filename: "a.go"}
		l := &profile.Location{ID: uint64(i + 1), Line: []profile.Line{{Function: f, Line: int64(10 * i)}}}
		p.Function, p.Location, sample.Location = append(p.Function, f), append(p.Location, l), append(sample.Location, l)
	}
	p.Sample = []*profile.Sample{sample}
	name := filepath.Join(t.TempDir(), "block.pb.gz")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := p.Write(f); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestRanksFromOne: no finding of a document has the rank 0, the first place of all
// blocking neither.
func TestRanksFromOne(t *testing.T) {
	out, err := Diagnose([]string{blockFile(t)}, unpark.Version{Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Run.Findings) == 0 || out.Run.Blocking == nil || out.Run.Blocking.First == nil {
		t.Fatalf("findings %v, blocking %+v", out.Run.Findings, out.Run.Blocking)
	}
	for i, f := range out.Run.Findings {
		if f.Rank != i+1 {
			t.Errorf("finding %d has the rank %d", i+1, f.Rank)
		}
	}
	if r := out.Run.Blocking.First.Rank; r != 1 {
		t.Errorf("the first place of blocking has the rank %d", r)
	}
}
