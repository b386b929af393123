package window

import (
	"bytes"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/profile"
)

// TestLost: samples of the CPU that found no room are told, where they may change a share by a hundredth.
func TestLost(t *testing.T) {
	for _, c := range []struct {
		kind  unpark.Kind
		n, of int
		told  bool
	}{
		{unpark.KindCPU, 900, 1000, true}, {unpark.KindCPU, 995, 1000, false}, {unpark.KindCPU, 0, 0, false}, {unpark.KindGoroutine, 10, 1000, false},
	} {
		m := profile.Make("cpu", "nanoseconds", 1e7, "samples", "count", "cpu", "nanoseconds")
		m.Add([]unpark.Site{{Function: "main.work"}}, 1, 1e7)
		if c.of > 0 {
			m.Drawn(c.n, c.of, 0)
		}
		b, err := m.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		p, err := profile.Decode(bytes.NewReader(b), unpark.KindCPU, "made")
		if err != nil {
			t.Fatal(err)
		}
		told := cpuNotices(unpark.ProfileFile{Kind: c.kind, PID: 7}, p)
		if (len(told) == 1) != c.told || c.told && !strings.Contains(told[0].Message, "up to 100 were lost") {
			t.Errorf("%+v: %+v", c, told)
		}
	}
}

// TestHiddenKernel: samples of user code alone are told, also when the profile was written and read again.
func TestHiddenKernel(t *testing.T) {
	for _, only := range []bool{true, false} {
		m := profile.Make("cpu", "nanoseconds", 1e7, "samples", "count", "cpu", "nanoseconds")
		m.Add([]unpark.Site{{Function: "main.work"}}, 1, 1e7)
		if only {
			m.UserOnly()
		}
		b, err := m.Bytes()
		for range 2 {
			if err != nil {
				t.Fatal(err)
			}
			p, err := profile.Decode(bytes.NewReader(b), unpark.KindCPU, "made")
			if err != nil {
				t.Fatal(err)
			}
			told := cpuNotices(unpark.ProfileFile{Kind: unpark.KindCPU, PID: 7}, p)
			if (len(told) == 1) != only || only && !strings.Contains(told[0].Cure, "CAP_PERFMON") {
				t.Errorf("user code only %v: %+v", only, told)
			}
			var again bytes.Buffer
			err = p.Write(&again)
			if err != nil {
				t.Fatal(err)
			}
			b = again.Bytes()
		}
	}
}
