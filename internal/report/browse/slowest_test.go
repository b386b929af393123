package browse

import (
	"bytes"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/slowest"
)

func TestSlowest(t *testing.T) {
	at := unpark.Site{Function: "example.com/shop.(*Cache).Get" + "<img src=x onerror=alert(1)>\x1b]0;owned", File: "/src/cache.go", Line: 7}
	q := slowest.Request{PID: 7, Start: 0.25, Wall: 0.01, States: []slowest.State{
		{Class: unpark.Running, Time: 0.001}, {Class: unpark.WaitLock, From: 0.001, Time: 0.004, Site: at}, {Class: unpark.Running, From: 0.005, Time: 0.001}, {Class: unpark.WaitLock, From: 0.006, Time: 0.004, Site: at},
	}, Held: []slowest.Holder{{Class: unpark.WaitLock, Waiter: at, Site: at, Time: 0.008}}}
	v := newRequest(1, q, 0.02)
	if len(v.Bar) != 4 || v.Bar[3].X != 300 || v.Bar[3].W != 200 || v.Name != "process 7" {
		t.Errorf("%+v", v)
	}
	if len(v.Rows) != 2 || v.Rows[0].Class != "lock" || v.Rows[0].Time != "8.00 ms" || v.Rows[0].Share != "80.0 %" || v.Rows[0].Times != "2 times" || !strings.HasSuffix(v.Rows[0].Site, "cache.go:7") {
		t.Errorf("%+v", v.Rows)
	}
	d := Moments(slowest.Sample{Requests: []slowest.Request{q}, Of: 10, Seconds: 2})
	if len(d.Spans) != 4 || len(d.Places) != 2 || d.Spans[3] != [3]float64{0.256, 0.004, 1} || d.Times != 10 || strings.Contains(d.Places[1].Site, "\x1b") {
		t.Errorf("%+v", d)
	}
	var page bytes.Buffer
	if err := Slowest(&page, Of{Title: "<img>", Href: "/run/a", Path: "a"}, []slowest.Request{q}); err != nil {
		t.Fatal(err)
	}
	if got := page.String(); strings.Contains(got, "<img") || !strings.Contains(got, `data-heat="a"`) || !strings.Contains(got, `href="/run/a"`) {
		t.Errorf("%s", got)
	}
}
