package web

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

func TestSeries(t *testing.T) {
	s := serve(t, shop(t))
	var all []seriesAnswer
	s.json(t, "/api/series?service=example.com/shop+./cmd/shop", &all)
	if len(all) != 1 || len(all[0].Runs) != 24 || all[0].All != 24 || all[0].Runs[0].Path != "run-00" || len(all[0].Findings) != 1 || len(all[0].Findings[0].Costs) != 24 {
		t.Fatalf("%+v", all)
	}
	for range 2 { // the second is remembered
		var changes []changeAnswer
		s.json(t, "/api/changes?series="+all[0].Key, &changes)
		got := map[string]changeAnswer{}
		for _, c := range changes {
			got[c.Metric] = c
		}
		if c := got["p99"]; len(changes) != 3 || c.Path != "run-14" || c.Better || !strings.HasPrefix(c.Text, "+") || got["throughput"].Better || !strings.HasPrefix(got["throughput"].Text, "−") {
			t.Errorf("changes %+v", changes)
		}
	}
}

// saveWandering saves run i of a series on a machine whose speed wanders, and whose kernel is another from the twentieth on.
func saveWandering(t testing.TB, root string, i int) {
	pace := 1 + 0.2*math.Sin(float64(i)*0.9)
	r := sample(i, pace*noise(i))
	r.Target.Module = "example.com/wander"
	r.Windows[0].Machine.Yardstick = unpark.Measured(1.5e-4*pace, "s", 90)
	r.Host = unpark.Host{OS: "linux", Arch: "amd64", CPUs: 2, Memory: 8e9, Kernel: "6.1"}
	if i >= 20 {
		r.Host.Kernel = "6.2\x1b[31m"
	}
	save(t, filepath.Join(root, fmt.Sprintf("wander-%02d", i)), r)
}

// TestSeriesAtOneSpeed: what the machine did is taken out of the figures and of the changes, unless they are asked for as they were measured.
func TestSeriesAtOneSpeed(t *testing.T) {
	root := t.TempDir()
	for i := range 24 {
		saveWandering(t, root, i)
	}
	s := serve(t, root)
	spread := func(query string) (float64, seriesAnswer) {
		var all []seriesAnswer
		s.json(t, "/api/series?service=example.com/wander+./cmd/shop"+query, &all)
		if len(all) != 1 {
			t.Fatalf("%+v", all)
		}
		low, high := math.Inf(1), 0.0
		for _, p := range all[0].Runs {
			low, high = min(low, p.Metrics["p99"]), max(high, p.Metrics["p99"])
		}
		return high / low, all[0]
	}
	even, a := spread("")
	plain, b := spread("&speed=measured")
	if even > 1.1 || plain < 1.4 || !a.Speed.Taken || b.Speed.Taken || !b.Speed.Can || !strings.Contains(a.Speed.Text, "p99 and") || !strings.HasSuffix(a.Speed.Text, "are corrected for it.") {
		t.Errorf("×%.2f with %+v, ×%.2f with %+v", even, a.Speed, plain, b.Speed)
	}
	if len(a.Moved) != 1 || a.Moved[0].Path != "wander-20" || strings.Contains(a.Moved[0].Text, "\x1b") {
		t.Errorf("another machine: %+v", a.Moved)
	}
	var changes []changeAnswer
	s.json(t, "/api/changes?series="+a.Key, &changes)
	if len(changes) != 0 {
		t.Errorf("changes %+v", changes)
	}
}
