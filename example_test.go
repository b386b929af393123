package unpark_test

import (
	"encoding/json"
	"fmt"
	"log"
	"strings"

	"github.com/unpark-go/unpark"
)

// A run document is run.json of a run directory, or what `unpark run --json` prints.
func ExampleRun() {
	// In a program: os.Open("unpark-runs/…/run.json"). This one is cut to what is read here.
	document := strings.NewReader(`{
		"schema": "unpark.run/v1",
		"void": [],
		"limit": {"kind": "lock", "why": "requests wait for the lock in lookup.(*Cache).Get"},
		"findings": [{
			"rank": 1,
			"title": "Requests queue for the lock that lookup.(*Cache).Get takes",
			"site": {"function": "lookup.(*Cache).Get", "file": "lookup/cache.go", "line": 37},
			"confidence": "high",
			"prediction": {"p99_ratio": {"value": 0.062, "unit": "ratio", "low": 0.034, "high": 0.098, "n": 3970}}
		}]
	}`)
	var run unpark.Run
	if err := json.NewDecoder(document).Decode(&run); err != nil {
		log.Fatal(err)
	}
	if run.Schema != unpark.SchemaRun {
		log.Fatalf("the document is %q, not %q", run.Schema, unpark.SchemaRun)
	}
	if run.IsVoid() {
		log.Fatalf("the figures are not to be trusted: %s", run.Void[0].Message)
	}

	fmt.Printf("limit: %s: %s\n", run.Limit.Kind, run.Limit.Why)
	if len(run.Findings) > 0 {
		first := run.Findings[0]
		fmt.Printf("first: %s (%s), confidence %s\n", first.Title, first.Site.Place(), first.Confidence)
		if p99 := first.Prediction.P99; p99.Known() { // unknown: unpark abstains
			fmt.Printf("without it: p99 ×%v (%v–%v)\n", p99.Value, p99.Low, p99.High)
		}
	}
	// Output:
	// limit: lock: requests wait for the lock in lookup.(*Cache).Get
	// first: Requests queue for the lock that lookup.(*Cache).Get takes (cache.go:37), confidence high
	// without it: p99 ×0.062 (0.034–0.098)
}

// A sweep has one window for each level of load. The verdict is about one of them.
func ExampleRun_Measured() {
	run := unpark.Run{Windows: []unpark.Window{
		{Level: unpark.Level{Connections: 8}, Load: &unpark.Load{AchievedRPS: 3100, Response: unpark.Latency{P99: 0.004, N: 31_000}}},
		{Level: unpark.Level{Connections: 32}, Load: &unpark.Load{AchievedRPS: 4250, Response: unpark.Latency{P99: 0.011, N: 42_500}}},
		{Level: unpark.Level{Connections: 128}, Load: &unpark.Load{AchievedRPS: 3900, Response: unpark.Latency{P99: 0.094, N: 39_000}}},
	}}
	window := run.Measured()
	if window == nil || window.Load == nil {
		log.Fatal("no window of this run was taken under load")
	}
	fmt.Printf("%d connections: %.0f req/s, p99 %.0f ms\n",
		window.Level.Connections, window.Load.AchievedRPS, 1000*window.Load.Response.P99)
	// Output: 32 connections: 4250 req/s, p99 11 ms
}

// What was not measured is unknown, which is not 0, and has no interval.
func ExampleQuantity() {
	forecast := unpark.Between(0.062, 0.034, 0.098, "ratio", 3970)
	fmt.Println("0.043 is inside the forecast:", forecast.Contains(0.043))

	single := unpark.Measured(397, "req/s", 1)
	fmt.Println("one observation has an interval:", single.Low.Known())

	var unknown unpark.Quantity
	text, err := json.Marshal(unknown.Value)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("unknown: known %t, printed %v, in JSON %s\n", unknown.Known(), unknown.Value, text)
	// Output:
	// 0.043 is inside the forecast: true
	// one observation has an interval: false
	// unknown: known false, printed ~, in JSON null
}
