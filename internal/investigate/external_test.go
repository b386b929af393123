package investigate

import (
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load/external"
)

// summary is what `vegeta report -type=json` prints of 500 requests in 5 s.
const summary = `{"latencies":{"mean":10000000,"50th":10000000,"99th":20000000,"max":30000000},"duration":4990000000,"wait":10000000,"requests":500,"rate":100.2,"status_codes":{"200":490,"500":10}}`

func TestFigures(t *testing.T) {
	tests := []struct {
		name, line string
		window     float64
		codes      string
		requests   int64
	}{
		{"understood", `echo '` + summary + `'`, 2, "load-figures load-span", 200},
		{"the same span", `echo '` + summary + `'`, 5.2, "load-figures", 520},
		{"not understood", `echo hello`, 2, "load-output-unknown", 0},
		{"without a rate", `echo '{"root_group":{},"metrics":{"http_reqs":{"count":5}}}'`, 2, "load-output-unknown", 0},
		{"broken", `echo '{"latencies":[],"status_codes":{},"wait":0}'`, 2, "load-output-unknown", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("TMPDIR", t.TempDir())
			c, err := external.Start(external.Spec{Line: tt.line})
			if err != nil {
				t.Fatal(err)
			}
			<-c.Done()
			if err := c.Stop(t.Context()); err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			w := unpark.Window{
				Start: start, End: start.Add(time.Duration(tt.window * float64(time.Second))),
				Processes: []unpark.Process{{PID: 1, Cores: unpark.Num(0.5)}, {PID: 2}},
			}
			var codes []string
			for _, n := range figures(c, tt.line, &w) {
				codes = append(codes, n.Code)
				if n.Message == "" || n.Cure == "" {
					t.Errorf("%s without message or cure", n.Code)
				}
			}
			if got := strings.Join(codes, " "); got != tt.codes {
				t.Errorf("warnings %q, want %q", got, tt.codes)
			}
			if tt.requests == 0 {
				if w.Load != nil || w.Processes[0].CPUPerReq.Known() {
					t.Errorf("a load that was not measured: %+v", w.Load)
				}
				return
			}
			if w.Load == nil || w.Load.Requests != tt.requests || w.Load.Mode != unpark.External || w.Load.Seconds != w.Seconds() {
				t.Fatalf("%+v", w.Load)
			}
			if got, want := w.Processes[0].CPUPerReq.Or(0), 0.5*w.Seconds()/float64(tt.requests); got != want || w.Processes[1].CPUPerReq.Known() {
				t.Errorf("CPU per request %v, want %v", w.Processes, want)
			}
		})
	}
}

func TestApplicable(t *testing.T) {
	all := []unpark.Notice{{Code: "shared-cores"}, {Code: "few-requests"}, {Code: "errors", Cure: "--expect"}}
	codes := func(l unpark.Load) (out []string) {
		for _, n := range applicable(l, all) {
			if n.Cure == "--expect" && l.Mode == unpark.External {
				t.Errorf("the cure of %s is for unpark's own generator", n.Code)
			}
			out = append(out, n.Code)
		}
		return out
	}
	for _, tt := range []struct {
		l    unpark.Load
		want int
	}{
		{unpark.Load{Mode: unpark.Closed, Requests: 5}, 3},
		{unpark.Load{Mode: unpark.External, Requests: 5}, 2},
		{unpark.Load{Mode: unpark.External}, 3},
		{unpark.Load{Mode: unpark.External, Requests: 5, Response: unpark.Latency{N: 5}}, 3},
	} {
		if got := codes(tt.l); len(got) != tt.want {
			t.Errorf("%+v: %v", tt.l, got)
		}
	}
	if all[2].Cure != "--expect" {
		t.Error("the argument was changed")
	}
}

func TestValidateExternal(t *testing.T) {
	for _, tt := range []struct {
		c  Config
		ok bool
	}{
		{Config{Pprof: []string{"http://127.0.0.1:1"}, LoadCommand: "k6 run s.js"}, true},
		{Config{Pprof: []string{"http://127.0.0.1:1"}, LoadCommand: "wrk {url}"}, false},
		{Config{Command: []string{"./server"}, LoadCommand: "wrk {url}"}, true},
		{Config{Command: []string{"./server"}}, false},
	} {
		tt.c.Plan.Mode = unpark.External
		if err := tt.c.validate(); (err == nil) != tt.ok {
			t.Errorf("%+v: %v", tt.c, err)
		}
	}
}

// TestNoSecretOfTool: a tool's error texts quote the URL that it was given.
func TestNoSecretOfTool(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	quoted := strings.Replace(summary, `"500":10}`, `"0":10},"errors":["Get \"http://ann:s3cret@h/?k=s3cret\": EOF"]`, 1)
	c, err := external.Start(external.Spec{Line: "cat <<'END'\n" + quoted + "\nEND"})
	if err != nil {
		t.Fatal(err)
	}
	<-c.Done()
	if err := c.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	w := unpark.Window{Start: time.Now().Add(-time.Second), End: time.Now()}
	if figures(c, "vegeta", &w); w.Load == nil || w.Load.ErrorSample != `Get "http://xxxxx@h/?k=xxxxx": EOF` {
		t.Errorf("%+v", w.Load)
	}
}
