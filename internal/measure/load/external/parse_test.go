package external

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

func TestParse(t *testing.T) {
	tests := []struct {
		file, tool string
		requests   int64
		errors     int64
		rps        float64
		seconds    float64
		p50, p99   float64 // 0: there must be no latencies
		mean, max  float64
		kinds      map[string]int64
		missing    string
	}{
		{"k6_export.json", "k6", 10020, 20, 1000, 10.02, 7.2e-3, 61.2e-3, 9.41e-3, 240.5e-3, map[string]int64{"unexpected": 20}, "dropped 31 iterations"},
		{"k6_stdout.txt", "k6", 10020, 0, 999.95, 10.0205, 0, 0, 0, 0, nil, "printed no p99"},
		{"k6_machine.json", "k6", 10020, 20, 999.95, 10.0205, 0, 0, 0, 0, nil, "mean 9.41ms, p50 7.2ms"},
		{"vegeta.json", "vegeta", 299600, 1400, 499.325, 600.01, 12e-3, 98e-3, 15.073e-3, 512.34e-3, map[string]int64{"failed": 400, "status": 1000}, "coordinated omission"},
		{"autocannon.json", "autocannon", 60300, 52, 6000, 10.05, 7e-3, 28e-3, 7.83e-3, 212e-3, map[string]int64{"timeout": 5, "failed": 7, "status": 40}, "whole milliseconds"},
		{"autocannon_fast.json", "autocannon", 210000, 0, 41832, 5.02, 0, 0, 0, 0, nil, "no p50"},
		{"oha.json", "oha", 400000, 107, 39991, 10.0021, 1.1e-3, 4.3e-3, 1.25e-3, 61.3e-3, map[string]int64{"failed": 7, "status": 100}, "--latency-correction"},
		{"oha_dead.json", "oha", 0, 10242, 0, 2.0004, 0, 0, 0, 0, map[string]int64{"failed": 10242}, ""},
		{"wrk_stall.txt", "wrk", 46689, 0, 11483.84, 4.0656, 48e-6, 970.12e-3, 87.08e-6, 1, nil, "fills in"},
		{"wrk_status.txt", "wrk", 103939, 34646, 51924.82, 2.0017, 0, 0, 0, 0, map[string]int64{"status": 34646}, "--latency"},
		{"wrk_interrupted.txt", "wrk", 165755, 0, 66152.55, 2.5057, 104e-6, 5.96e-3, 151.2e-6, 10.52e-3, nil, "no p95 (in its place: the p99)"},
		{"wrk_silent.txt", "wrk", 0, 0, 0, 4.01, 0, 0, 0, 0, nil, ""},
		{"wrk_sockets.txt", "wrk", 46689, 36, 11483.84, 4.0656, 48e-6, 970.12e-3, 87.08e-6, 1, map[string]int64{"connect": 3, "read": 20, "write": 1, "timeout": 12}, "fills in"},
		{"wrk2.txt", "wrk2", 60018, 0, 2000.28, 30.005, 6.67e-3, 11.18e-3, 6.46e-3, 12.34e-3, nil, "intended start"},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			r, err := Parse(testdata(t, tt.file))
			if err != nil {
				t.Fatal(err)
			}
			l := r.Load
			if r.Tool != tt.tool || l.Mode != unpark.External || l.Requests != tt.requests || l.Errors != tt.errors {
				t.Errorf("%s, %s, %d requests, %d errors; want %s, %d, %d", r.Tool, l.Mode, l.Requests, l.Errors, tt.tool, tt.requests, tt.errors)
			}
			near(t, "rate", l.AchievedRPS, tt.rps)
			near(t, "seconds", l.Seconds, tt.seconds)
			if (l.Response.N > 0) != (tt.p50 > 0) {
				t.Fatalf("latencies %+v", l.Response)
			}
			near(t, "p50", l.Response.P50, tt.p50)
			near(t, "p99", l.Response.P99, tt.p99)
			near(t, "mean", l.Response.Mean, tt.mean)
			near(t, "max", l.Response.Max, tt.max)
			for kind, n := range tt.kinds {
				if l.ErrorKinds[kind] != n {
					t.Errorf("%d errors %q, want %d", l.ErrorKinds[kind], kind, n)
				}
			}
			if !strings.Contains(strings.Join(r.Missing, "\n"), tt.missing) {
				t.Errorf("%q is not among what is missing: %q", tt.missing, r.Missing)
			}
			sound(t, r)
		})
	}
}

func TestParseDetails(t *testing.T) {
	v, err := Parse(testdata(t, "vegeta.json"))
	if err != nil {
		t.Fatal(err)
	}
	if l := v.Load; l.Status["200"] != 298600 || l.Status["503"] != 1000 || l.ErrorSample != "503 Service Unavailable" || l.BytesPerResponse.Or(0) != 4485 {
		t.Errorf("%+v", l)
	}
	near(t, "offered", v.Load.OfferedRPS, 500.0017)
	o, err := Parse(testdata(t, "oha.json"))
	if err != nil {
		t.Fatal(err)
	}
	if l := o.Load; l.Unfinished != 50 || l.Response.P999 != 0.0112 || l.Response.P9999 != 0.0401 || l.Status["500"] != 100 || !strings.Contains(l.ErrorSample, "closed before") {
		t.Errorf("%+v", l)
	}
	a, err := Parse(testdata(t, "autocannon.json"))
	if err != nil {
		t.Fatal(err)
	}
	near(t, "upper bound of p95", a.Load.Response.P95, 21e-3)
	w, err := Parse(testdata(t, "wrk_interrupted.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if l := w.Load.Response; l.P95 != l.P99 || l.P999 != l.Max {
		t.Errorf("upper bounds: %+v", l)
	}
}

// The summary stands among other text, and the last of several counts.
func TestParseAmongText(t *testing.T) {
	one := testdata(t, "vegeta.json")
	other := []byte(strings.Replace(string(one), `"requests":300000`, `"requests":300001`, 1))
	text := append([]byte("\x1b[2J{not json} {\"a\": \n"), one...)
	text = append(append(text, "{\"level\":\"info\"}\n"...), other...)
	r, err := Parse(append(text, "done\n"...))
	if err != nil || r.Load.Requests != 299601 {
		t.Errorf("%+v, %v", r, err)
	}
	twice := append(testdata(t, "wrk_stall.txt"), testdata(t, "wrk_status.txt")...)
	if r, err := Parse(twice); err != nil || r.Load.Requests != 103939 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestParseRefuses(t *testing.T) {
	unknown := []string{
		"", "\n", "hello", "{}", `{"requests": 5}`, `{"latencies": {"p50": 1}}`, `{"metrics": {"a": 1}}`, `{"summary": {}, "latencyPercentiles": {}}`,
		"Requests/sec: 5\n", "Summary:\n  Total: 2.0 secs\n  Requests/sec: 5", "Running 1s test @ http://x\n  Thread Stats   Avg\n", strings.Repeat("{", 1000), strings.Repeat(`{"a":`, 1000),
		`{"latencies": null, "status_codes": {}, "wait": 0}`[:20],
	}
	for _, text := range unknown {
		if r, err := Parse([]byte(text)); !errors.Is(err, ErrUnknown) {
			t.Errorf("%.40q: %+v, %v", text, r, err)
		}
	}
	broken := []string{
		`{"latencies": [], "status_codes": {}, "wait": 0}`,
		`{"latencies": {}, "status_codes": {}, "wait": 0, "requests": -1}`,
		`{"latencies": {}, "status_codes": {"0": 5}, "wait": 0, "requests": 1}`,
		`{"latencies": {"mean": 1, "50th": 9, "99th": 3, "max": 20}, "status_codes": {"200": 5}, "wait": 0, "requests": 5}`,
		`{"root_group": {}, "metrics": {"http_reqs": 5}}`,
		`{"summary": {}, "latencyPercentiles": {}, "statusCodeDistribution": {"200": 1e300}}`,
		`{"latency": {}, "requests": {}, "non2xx": 0, "errors": 1, "timeouts": 2}`,
	}
	for _, text := range broken {
		if r, err := Parse([]byte(text)); err == nil || errors.Is(err, ErrUnknown) {
			t.Errorf("%.60q: %+v, %v", text, r, err)
		}
	}
	if _, err := Parse(make([]byte, maxOutput+1)); err == nil || !strings.Contains(err.Error(), "64 MB") {
		t.Errorf("too large: %v", err)
	}
}

func TestWithin(t *testing.T) {
	r, err := Parse(testdata(t, "vegeta.json"))
	if err != nil {
		t.Fatal(err)
	}
	l := r.Within(60)
	if l.Seconds != 60 || l.Requests != 29960 || l.Errors != 140 || l.Status["503"] != 100 || l.AchievedRPS != r.Load.AchievedRPS {
		t.Errorf("%+v", l)
	}
	if l := r.Within(0.001); l.Errors != 1 || l.ErrorKinds["failed"] != 1 {
		t.Errorf("errors vanished: %+v", l)
	}
	if r.Load.Status["503"] != 1000 {
		t.Error("the tool's own figures were changed")
	}
	if l := (Result{Load: newLoad()}).Within(5); l.Requests != 0 || l.Seconds != 0 {
		t.Errorf("%+v", l)
	}
}

func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/*.*")
	if err != nil || len(files) == 0 {
		f.Fatal("no testdata", err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) { checkParse(t, b) })
}

// The readers alone: their input is what the formats hold in the place of figures.
func FuzzReaders(f *testing.F) {
	for _, v := range []string{"1", "-1", "0", "1e308", "null", "9007199254740993", `"x"`, "[]"} {
		f.Add(v, "2", "3.5", "12us", "200")
	}
	f.Fuzz(func(t *testing.T, a, b, c, d, code string) {
		for _, form := range []string{
			`{"latencies":{"mean":A,"50th":A,"90th":B,"99th":C,"max":B},"status_codes":{"D":A,"0":C},"duration":B,"wait":C,"requests":A,"rate":B}`,
			`{"root_group":{},"metrics":{"http_reqs":{"count":A,"rate":B},"http_req_duration":{"avg":C,"med":A,"p(99)":B,"max":C},"http_req_failed":{"passes":B}}}`,
			`{"latency":{"mean":A,"p50":B,"p99":C,"max":A},"requests":{"total":B},"duration":C,"errors":A,"timeouts":B,"non2xx":C,"statusCodeStats":{"D":{"count":A}}}`,
			`{"summary":{"total":A,"average":B,"slowest":C},"latencyPercentiles":{"p50":A,"p99":B},"statusCodeDistribution":{"D":A},"errorDistribution":{"x":C}}`,
			"  2 threads and A connections\n  Thread Stats\n Latency D B D\n 50% D\n 99% D\n  A requests in D, 1B read\nNon-2xx or 3xx responses: B\nRequests/sec: C\n",
		} {
			text := strings.NewReplacer("D", code, "12us", d, "A", a, "B", b, "C", c).Replace(form)
			checkParse(t, []byte(text))
		}
	})
}

func checkParse(t *testing.T, b []byte) {
	r, err := Parse(b)
	if err == nil {
		sound(t, r)
		sound(t, Result{Tool: r.Tool, Load: r.Within(10), Missing: r.Missing})
	}
}

// sound checks what every result must hold to.
func sound(t *testing.T, r Result) {
	t.Helper()
	l := r.Load
	if r.Tool == "" || l.Mode != unpark.External || l.Status == nil || l.ErrorKinds == nil || len(r.Missing) == 0 && l.Requests > 0 {
		t.Errorf("incomplete: %+v", r)
	}
	q := []float64{0, l.Response.Min, l.Response.P50, l.Response.P90, l.Response.P95, l.Response.P99, l.Response.P999, l.Response.P9999, l.Response.Max}
	for i, v := range q {
		if math.IsNaN(v) || math.IsInf(v, 0) || i > 0 && v < q[i-1] {
			t.Errorf("latencies out of order: %+v", l.Response)
			break
		}
	}
	if l.Response.N > 0 && (l.Response.P50 <= 0 || l.Response.P99 <= 0 || l.Response.Mean <= 0 || l.Response.Mean > l.Response.Max) {
		t.Errorf("latencies with N and without figures: %+v", l.Response)
	}
	for _, v := range []float64{l.Seconds, l.AchievedRPS, l.OfferedRPS} {
		if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
			t.Errorf("rates: %+v", l)
		}
	}
	if l.Requests < 0 || l.Errors < 0 || l.Unfinished < 0 || l.Response.N < 0 {
		t.Errorf("counts: %+v", l)
	}
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 2e-3*math.Abs(want)+1e-12 {
		t.Errorf("%s %g, want %g", what, got, want)
	}
}

func testdata(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}
