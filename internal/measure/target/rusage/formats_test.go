package rusage

import "testing"

func TestParseMachine(t *testing.T) {
	got, err := parseMachine("cpu  100 20 30 9999 400 5 6 700 50 0\ncpu0 1 2 3 4 5 6 7 8\ncpu1 1 2 3 4 5 6 7 8\nintr 5\nctxt 6\n")
	if err != nil || got != (Machine{CPUs: 2, Busy: 1.61, Steal: 7}) {
		t.Errorf("got %+v, %v", got, err)
	}
	for _, bad := range []string{"", "cpu  1 2 3\ncpu0 1\n", "cpu 1 2 3 4 5 6 7 x\ncpu0\n", "cpu0 1 2 3 4 5 6 7 8\n", "cpu 1 2 3 4 5 6 7 8\n"} {
		if m, err := parseMachine(bad); err == nil {
			t.Errorf("%q gives %+v", bad, m)
		}
	}
}

func TestParseSwitches(t *testing.T) {
	v, n := parseSwitches("Name:\tx\nvoluntary_ctxt_switches:\t150\nnonvoluntary_ctxt_switches:\t7\n")
	if v != 150 || n != 7 {
		t.Errorf("got %d, %d", v, n)
	}
	if v, n := parseSwitches("voluntary_ctxt_switches:\tx\n"); v != 0 || n != 0 {
		t.Errorf("got %d, %d", v, n)
	}
}

func TestParseCalls(t *testing.T) {
	const text = "rchar: 3000\nwchar: 2000\nsyscr: 30\nsyscw: 20\nread_bytes: 0\nwrite_bytes: 4096\ncancelled_write_bytes: 0\n"
	if got, want := parseCalls(text), (Calls{Known: true, Reads: 30, Writes: 20, Written: 2000}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for _, bad := range []string{"", "syscr: 30\nsyscw: 20\n", "wchar: 1\nsyscr: x\nsyscw: 20\n"} {
		if got := parseCalls(bad); got != (Calls{}) {
			t.Errorf("%q gives %+v", bad, got)
		}
	}
}

func FuzzUsageFiles(f *testing.F) {
	for _, text := range []string{"cpu  1 2 3 4 5 6 7 8\ncpu0 1\n", "voluntary_ctxt_switches:\t1\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if m, err := parseMachine(text); err == nil && (m.CPUs < 1 || m.Busy < 0) {
			t.Errorf("%+v", m)
		}
		parseSwitches(text)
		if c := parseCalls(text); !c.Known && c != (Calls{}) {
			t.Errorf("%+v", c)
		}
	})
}
