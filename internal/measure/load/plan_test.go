package load

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
)

func TestPlanErrors(t *testing.T) {
	get := []unpark.Request{{URL: "http://127.0.0.1:1/"}}
	one := func(r unpark.Request) unpark.Plan {
		return unpark.Plan{Mode: unpark.Closed, Connections: 1, Requests: []unpark.Request{r}}
	}
	for name, tt := range map[string]struct {
		plan unpark.Plan
		want string
	}{
		"no mode":           {unpark.Plan{Requests: get}, `mode ""`},
		"sweep":             {unpark.Plan{Mode: unpark.Sweep, Requests: get}, "each of its levels"},
		"external":          {unpark.Plan{Mode: unpark.External, Requests: get}, "closed, constant"},
		"no connections":    {unpark.Plan{Mode: unpark.Closed, Requests: get}, "connections 0"},
		"too many":          {unpark.Plan{Mode: unpark.Closed, Connections: 1e9, Requests: get}, "from 1 to 100000"},
		"negative, open":    {unpark.Plan{Mode: unpark.Constant, RateRPS: 1, Connections: -1, Requests: get}, "connections -1"},
		"rate 0":            {unpark.Plan{Mode: unpark.Constant, Requests: get}, "rate_rps 0"},
		"no stages":         {unpark.Plan{Mode: unpark.Ramp, Requests: get}, "stages"},
		"negative warm-up":  {unpark.Plan{Mode: unpark.Ramp, Warmup: -1, Stages: []unpark.Stage{{To: 1, Duration: 1}}, Requests: get}, "warmup_s -1"},
		"negative timeout":  {unpark.Plan{Mode: unpark.Closed, Connections: 1, Timeout: -1, Requests: get}, "timeout_s -1"},
		"no requests":       {unpark.Plan{Mode: unpark.Closed, Connections: 1}, "requests: there is none"},
		"bad method":        {one(unpark.Request{Method: "G T", URL: "http://a/"}), `method "G T"`},
		"no scheme":         {one(unpark.Request{URL: "127.0.0.1/x"}), "needs http://"},
		"other scheme":      {one(unpark.Request{URL: "ftp://a/"}), "needs http://"},
		"bad URL":           {one(unpark.Request{URL: "http://[::1"}), "URL"},
		"weight":            {one(unpark.Request{URL: "http://a/", Weight: -1}), "weight -1"},
		"status":            {one(unpark.Request{URL: "http://a/", Expect: []int{20}}), "expect 20"},
		"protocol":          {unpark.Plan{Mode: unpark.Closed, Connections: 1, Protocol: "spdy", Requests: get}, `protocol "spdy"`},
		"h2 without TLS":    {unpark.Plan{Mode: unpark.Closed, Connections: 1, Protocol: "h2", Requests: get}, "h2c needs http://"},
		"password not told": {one(unpark.Request{URL: "ftp://u:secret@a/"}), "xxxxx@a"},
	} {
		_, err := Start(context.Background(), tt.plan)
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "load: plan: ") {
			t.Errorf("%s: error %v, want it to say %q", name, err, tt.want)
		}
	}
}

func TestPlanDefaults(t *testing.T) {
	s, err := newSettings(unpark.Plan{Mode: unpark.Poisson, RateRPS: 1, Requests: []unpark.Request{{
		URL: "http://127.0.0.1/a#frag", Header: map[string][]string{"Host": {"shop.example"}, "X-A": {"1"}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	k := s.kinds[0]
	if s.connections != 100 || s.timeout != 30*time.Second || s.protocol != "http/1.1" {
		t.Errorf("defaults are %d connections, %v, %s", s.connections, s.timeout, s.protocol)
	}
	if k.method != "GET" || k.host != "shop.example" || k.header.Get("Host") != "" || k.header.Get("X-A") != "1" || k.url.Fragment != "" {
		t.Errorf("kind is %+v", k)
	}
	for status, want := range map[int]bool{200: true, 304: true, 399: true, 400: false, 199: false} {
		if k.accepts(status) != want {
			t.Errorf("accepts(%d) = %v", status, !want)
		}
	}
}

func TestLoopback(t *testing.T) {
	for host, want := range map[string]bool{
		"127.0.0.1": true, "127.0.0.1:80": true, "[::1]:80": true, "localhost:1": true, "LOCALHOST": true,
		"10.0.0.1": false, "localhost.example.com": false, "127.0.0.1.example.com:80": false, "example.com": false,
	} {
		if loopback(host) != want {
			t.Errorf("loopback(%q) = %v", host, !want)
		}
	}
}
