package report

import (
	"testing"

	"github.com/unpark-go/unpark"
)

func TestSmallTexts(t *testing.T) {
	for got, want := range map[string]string{
		ranges([]int{5, 2, 3, 4, 8}): "2-5,8", ranges(nil): "",
		commandText([]string{"./x", "a b", "it's", ""}): `./x 'a b' 'it'\''s' ''`,
		middle("abcdefghij", 7):                         "ab…ghij", middle("abc", 1): "…", middle("abc", 3): "abc",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestSentence(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "raise the rate": "Raise the rate.", "main.f waits": "main.f waits.", "done.": "done.", "it is\nover": "It is over.",
		"unpark run --pprof http://HOST:PORT": "unpark run --pprof http://HOST:PORT", "go tool pprof cpu.pb.gz": "go tool pprof cpu.pb.gz",
	} {
		if got := sentence(text); got != want {
			t.Errorf("sentence(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestTotals(t *testing.T) {
	num := unpark.Num
	w := unpark.Window{Load: &unpark.Load{AchievedRPS: 100}, Processes: []unpark.Process{
		{PID: 1, Cores: num(0.5), GOMAXPROCS: num(1), RSS: num(1e6), GCShare: num(0.1), Throttled: num(2)},
		{PID: 2, Cores: num(1.5), GOMAXPROCS: num(1), GCShare: num(0.3), Throttled: num(2)},
	}}
	got := totalRow(w)
	want := []string{"total", "2", "2.00", "20.0 ms", "~", "~", "≥1.00 MB", "25.0 %", "2.00 s", ""}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%s: %q, want %q", processHeader()[i], got[i], want[i])
		}
	}
	w.Load.Seconds, w.Load.Beside = 10, num(1000)
	if got := totalRow(w)[3]; got != "10.0 ms" {
		t.Errorf("beside as many requests of void parts: %s a request", got)
	}
	w.Processes[1].Throttled, w.Processes[1].Cores = num(3), unpark.Number{}
	got = totalRow(w)
	if got[2] != "≥0.50" || got[3] != "~" || got[7] != "~" || got[8] != "5.00 s" {
		t.Errorf("with an unknown part %q", got)
	}
}

// TestFlamesOfAllRequests: a page's graphs are divided by all requests, also by those of void parts of the load.
func TestFlamesOfAllRequests(t *testing.T) {
	r := lockAtTheKnee()
	l := r.Measured().Load
	for _, beside := range []unpark.Number{{}, unpark.Num(1000)} {
		l.Beside = beside
		v := view{}
		v.window(r)
		if want := float64(l.Requests) + beside.Or(0); v.Data.Requests != want {
			t.Errorf("%v beside: %v requests, want %v", beside, v.Data.Requests, want)
		}
	}
}
