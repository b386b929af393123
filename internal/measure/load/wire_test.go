package load

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load/requests"
)

func template(t *testing.T, text string) unpark.Template {
	t.Helper()
	c, err := requests.Compile([]byte(text), requests.Values{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestWireIsARequest: what goes over the wire is what net/http reads.
func TestWireIsARequest(t *testing.T) {
	for name, tt := range map[string]struct {
		r      unpark.Request
		target string
		body   string
	}{
		"fixed":          {unpark.Request{URL: "http://h/a?b=1"}, "/a?b=1", ""},
		"target":         {unpark.Request{URL: "http://h/", Target: template(t, "/item/{{counter}}?x=1")}, "/item/7?x=1", ""},
		"payload":        {unpark.Request{Method: "POST", URL: "http://h/a", Payload: template(t, `{"id":{{counter}}}`)}, "/a", `{"id":7}`},
		"both":           {unpark.Request{Method: "PUT", URL: "http://h/", Target: template(t, "/{{counter}}"), Payload: template(t, "n={{counter}}")}, "/7", "n=7"},
		"target, a body": {unpark.Request{Method: "POST", URL: "http://h/", Body: []byte("hello"), Target: template(t, "/{{counter}}")}, "/7", "hello"},
		"stamped":        {unpark.Request{Method: "POST", URL: "http://h/a", Body: []byte("hello")}, "/a", "hello"},
		"empty POST":     {unpark.Request{Method: "POST", URL: "http://h/", Target: template(t, "/{{counter}}")}, "/7", ""},
	} {
		t.Run(name, func(t *testing.T) {
			tt.r.Header = map[string][]string{"X-Kind": {"yes"}}
			k, err := newKind(tt.r)
			if err != nil {
				t.Fatal(err)
			}
			k.stamp = name == "stamped"
			w, err := newWire(&k)
			if err != nil {
				t.Fatal(err)
			}
			text := w.fixed
			if w.varies() {
				text, _ = w.append(nil, nil, 1, 7, 1234)
			}
			r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(text)))
			if err != nil {
				t.Fatalf("%v in\n%s", err, text)
			}
			if sent := r.Header.Get("Unpark-Sent"); (sent == "1234") != k.stamp {
				t.Errorf("sent at %q", sent)
			}
			body, err := io.ReadAll(r.Body)
			if err != nil || string(body) != tt.body || r.RequestURI != tt.target || r.Header.Get("X-Kind") != "yes" || r.Host != "h" || int(r.ContentLength) != len(tt.body) {
				t.Errorf("%s %s, host %q, %d bytes %q (%v) from\n%s", r.Method, r.RequestURI, r.Host, r.ContentLength, body, err, text)
			}
		})
	}
}

// TestTemplatesDiffer: every request has a number of its own.
func TestTemplatesDiffer(t *testing.T) {
	everyEngine(t, func(t *testing.T) {
		testEachDiffers(t, func(h http.HandlerFunc) string { return serve(t, h) }, unpark.Plan{})
	})
}

// testEachDiffers runs a closed loop of requests with a counter under a protocol.
func testEachDiffers(t *testing.T, listen func(http.HandlerFunc) string, as unpark.Plan) {
	var mu sync.Mutex
	seen := map[string]int{}
	url := listen(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the load was stopped
		}
		mu.Lock()
		defer mu.Unlock()
		if (r.Header.Get("Unpark-Sent") != "") != as.Stamp || r.ContentLength != int64(len(body)) {
			t.Errorf("%v, length %d", r.Header, r.ContentLength)
		}
		seen[r.URL.Path+" "+string(body)]++
	})
	plan := closed(3, unpark.Request{
		Method: "POST", URL: url, Target: template(t, "/{{counter}}"), Payload: template(t, "n={{counter}}"),
	})
	plan.Protocol, plan.Stamp = as.Protocol, as.Stamp
	g := start(t, plan)
	const n = 300
	key := func(i int) string { return fmt.Sprintf("/%d n=%d", i, i) }
	// One connection may be slow while the others go on: wait for each number.
	until(t, "the first numbers", func() bool {
		mu.Lock()
		defer mu.Unlock()
		for i := range n {
			if seen[key(i)] == 0 {
				return false
			}
		}
		return true
	})
	g.Stop()
	mu.Lock()
	defer mu.Unlock()
	for i := range n {
		if seen[key(i)] != 1 {
			t.Errorf("%q came %d times", key(i), seen[key(i)])
		}
	}
}

func TestTemplatesNeedHTTP(t *testing.T) {
	r := unary("127.0.0.1:1", "a")
	r.Payload = template(t, "{{counter}}")
	if _, err := newSettings(closed(1, r)); err == nil || !strings.Contains(err.Error(), "over HTTP only") {
		t.Errorf("gRPC with a template: %v", err)
	}
}

// TestStamps: requests say when they were meant to be sent, by the clock on the wall.
func TestStamps(t *testing.T) { everyEngine(t, testStamps) }

func testStamps(t *testing.T) {
	ages := make(chan time.Duration, 1000)
	url := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		sent, err := strconv.ParseInt(r.Header.Get("Unpark-Sent"), 10, 64)
		if err != nil {
			t.Error(err)
		}
		select {
		case ages <- time.Since(time.Unix(0, sent)):
		default:
		}
	})
	g, err := Start(t.Context(), unpark.Plan{
		Mode: unpark.Constant, RateRPS: 200, Connections: 2, Duration: 1, Timeout: 10, Stamp: true,
		Requests: []unpark.Request{{URL: url}},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Stop()
	for range 20 {
		if age := <-ages; age < 0 || age > 10*time.Second {
			t.Errorf("%v old", age)
		}
	}
}
