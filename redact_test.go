package unpark_test

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

func TestRedactURL(t *testing.T) {
	for address, want := range map[string]string{
		"http://127.0.0.1:8080/a/b":                 "http://127.0.0.1:8080/a/b",
		"http://127.0.0.1:8080/?":                   "http://127.0.0.1:8080/?",
		"http://ann:s3cret@host:8080/a":             "http://xxxxx@host:8080/a",
		"https://s3cret@host/":                      "https://xxxxx@host/",
		"http://ann:s@cret@host/":                   "http://xxxxx@host/",
		"http://ann:s3/cret@host/a":                 "http://xxxxx@host/a",
		"http://ann:s3?cret@host/a":                 "http://xxxxx?xxxxx",
		"http://ann:s3#cret@host/a":                 "http://xxxxx",
		"http://h/?token=s3cret&n=1&flag=&x":        "http://h/?token=xxxxx&n=xxxxx&flag=&xxxxx",
		"http://h/?a=1;b=s3cret":                    "http://h/?a=xxxxx&b=xxxxx",
		"http://h/a#s3cret":                         "http://h/a",
		"9*http://ann:s3cret@h/?k=s3cret":           "9*http://xxxxx@h/?k=xxxxx",
		"http://h/@ann/x":                           "http://h/@ann/x",
		"http://h:80/@ann/x":                        "http://h:80/@ann/x",
		"http://[::1]:80/@ann":                      "http://[::1]:80/@ann",
		"http://[fe80::1%25eth0]/":                  "http://[fe80::1%25eth0]/",
		"http://h:{{port}}/?u={{user}}":             "http://h:{{port}}/?u=xxxxx",
		"127.0.0.1:6060/debug/pprof?k=s3cret":       "127.0.0.1:6060/debug/pprof?k=xxxxx",
		"ann:s3cret@127.0.0.1:6060":                 "xxxxx@127.0.0.1:6060",
		"http://ann:s3cret@h:bad/?k=s3cret":         "http://xxxxx@h:bad/?k=xxxxx",
		"http://ann:s3cret@%zz/":                    "http://xxxxx@%zz/",
		"unix:///run/a@b.sock:/x?k=s3cret":          "unix:///run/a@b.sock:/x?k=xxxxx",
		"unix://@name:/x":                           "unix://@name:/x",
		"postgres://ann:s3cret@db/shop?sslkey=/s3c": "postgres://xxxxx@db/shop?sslkey=xxxxx",
		"": "",
	} {
		got := unpark.RedactURL(address)
		if got != want {
			t.Errorf("%q: %q, want %q", address, got, want)
		}
		if again := unpark.RedactURL(got); again != got {
			t.Errorf("%q, redacted again, is %q", got, again)
		}
	}
}

func TestRedactText(t *testing.T) {
	for text, want := range map[string]string{
		"no URL in it: a@b ?x=1":                               "no URL in it: a@b ?x=1",
		`Get "http://ann:s3cret@h/?k=s3cret": EOF`:             `Get "http://xxxxx@h/?k=xxxxx": EOF`,
		"GET http://h/?k=s3cret: status 500, expected 200–399": "GET http://h/?k=xxxxx: status 500, expected 200–399",
		"see (https://h/a?k=s3cret), then http://h/b.":         "see (https://h/a?k=xxxxx), then http://h/b.",
		"-dsn=postgres://ann:s3cret@db/shop -v":                "-dsn=postgres://xxxxx@db/shop -v",
		"dial tcp 127.0.0.1:1: connect: connection refused":    "dial tcp 127.0.0.1:1: connect: connection refused",
		"unix:///run/x.sock:/a?k=s3cret: no such file":         "unix:///run/x.sock:/a?k=xxxxx: no such file",
		`{"url":"http://h/?k=s3cret","more":"http://ann@h/"}`:  `{"url":"http://h/?k=xxxxx","more":"http://xxxxx@h/"}`,
	} {
		if got := unpark.RedactText(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestRedactCommand(t *testing.T) {
	for line, want := range map[string]string{
		"./server -addr :8080 -n=5":                       "./server -addr :8080 -n=5",
		"./server -token=s3cret --api-key s3cret -v":      "./server -token=xxxxx --api-key xxxxx -v",
		"./server -password -v":                           "./server -password -v",
		"env DB_PASSWORD=s3cret HOME=/x ./server":         "env DB_PASSWORD=xxxxx HOME=/x ./server",
		"./server -db postgres://ann:s3cret@db/x -keys 3": "./server -db postgres://xxxxx@db/x -keys 3",
		"./server -u=http://h/?token=s3cret":              "./server -u=http://h/?token=xxxxx",
		"./server http://h/?access_token=s3cret&n=1 -n 5": "./server http://h/?access_token=xxxxx&n=xxxxx -n 5",
	} {
		if got := strings.Join(unpark.RedactCommand(strings.Fields(line)), " "); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

func TestRedactEnv(t *testing.T) {
	for assignment, want := range map[string]string{
		"DSN=s3cret": "DSN=xxxxx", "A=b=c": "A=xxxxx", "GOGC=400": "GOGC=400", "GOMAXPROCS=1": "GOMAXPROCS=1", "EMPTY=": "EMPTY=xxxxx", "s3cret": "s3cret",
	} {
		if got := unpark.RedactEnv(assignment); got != want {
			t.Errorf("%q: %q, want %q", assignment, got, want)
		}
	}
}

// TestRedactedPlan: nothing secret is in the document, requests that differ in it stay
// apart, and the plan that is carried out keeps it.
func TestRedactedPlan(t *testing.T) {
	plan := unpark.Plan{Requests: []unpark.Request{
		{URL: "http://ann:s3cret@h/?k=s3cret1", Header: map[string][]string{"Authorization": {"s3cret"}}, Body: []byte("s3cret")},
		{URL: "http://ann:s3cret@h/?k=s3cret2"},
		{URL: "http://h/plain"},
	}}
	before := slices.Clone(plan.Requests)
	shown := plan.Redacted()
	text, err := json.Marshal(shown)
	if err != nil || strings.Contains(string(text), "s3cret") {
		t.Errorf("%s, %v", text, err)
	}
	sums := []string{shown.Requests[0].Sum, shown.Requests[1].Sum}
	if len(sums[0]) != 2 || len(sums[1]) != 2 || sums[0] == sums[1] || shown.Requests[2].Sum != "" {
		t.Errorf("sums %q", sums)
	}
	for i, r := range plan.Requests {
		if r.URL != before[i].URL || r.Sum != "" {
			t.Errorf("the plan itself was changed: %+v", r)
		}
	}
	if again := shown.Redacted(); again.Requests[0].Sum != sums[0] || again.Requests[0].URL != shown.Requests[0].URL {
		t.Errorf("redacted again: %+v", again.Requests[0])
	}
}

func TestRedactedTarget(t *testing.T) {
	target := unpark.Target{
		Command: []string{"./server", "-db", "postgres://ann:s3cret@db/x"}, URL: "http://h/?k=s3cret", Pprof: []string{"http://s3cret@h:6060"},
	}
	if text, err := json.Marshal(target.Redacted()); err != nil || strings.Contains(string(text), "s3cret") {
		t.Errorf("%s, %v", text, err)
	}
	if target.Command[2] != "postgres://ann:s3cret@db/x" || target.Pprof[0] != "http://s3cret@h:6060" {
		t.Error("the target itself was changed")
	}
}

func TestSplitUnix(t *testing.T) {
	for address, want := range map[string][2]string{
		"unix:///run/x.sock:/a/b?c=d": {"/run/x.sock", "/a/b?c=d"},
		"unix:///run/x.sock:/":        {"/run/x.sock", "/"},
		"unix:///run/x.sock:":         {"/run/x.sock", "/"},
		"unix:///run/a b.sock:/x#y":   {"/run/a b.sock", "/x"},
		"unix:///run/x:/to=http://h/": {"/run/x", "/to=http://h/"},
		"unix://x.sock:/":             {"x.sock", "/"},
		"unix://@name/of:/x":          {"@name/of", "/x"},
		"unix:///run/x.sock/a":        {}, // where the socket ends is not said
		"unix:///run/x.sock":          {},
		"unix://:/a":                  {},
		"unix://@:/a":                 {},
		"unix:///run/x?a:/b":          {},
		"http://h:/a":                 {},
		"":                            {},
	} {
		socket, target, ok := unpark.SplitUnix(address)
		if got := [2]string{socket, target}; got != want || ok != (want[0] != "") {
			t.Errorf("%q: %q, %v, want %q", address, got, ok, want)
		}
		if ok {
			if s, to, _ := unpark.SplitUnix(unpark.UnixURL(socket, target)); s != socket || to != target {
				t.Errorf("%q: there and back it is %q %q", address, s, to)
			}
		}
	}
}

func TestRedactParse(t *testing.T) {
	for address, want := range map[string]string{
		"http://h:x/":             `invalid port ":x" after host`,
		"http://ann:s3cret@h:x/":  "it cannot be parsed",
		"http://ann:s3/cret@h/":   "it cannot be parsed",
		"http://h/%zz":            `invalid URL escape "%zz"`,
		"http://h:x/?token=s3cre": "it cannot be parsed",
	} {
		_, err := url.Parse(address)
		if err == nil {
			t.Fatalf("%q is a URL", address)
		}
		if got := unpark.RedactParse(address, err).Error(); got != want {
			t.Errorf("%q: %q, want %q", address, got, want)
		}
	}
}

// TestRedactedPlanVaries: that a request was another one each time is read from the document as well, in which neither its URL's query
// nor its body is.
func TestRedactedPlanVaries(t *testing.T) {
	for name, c := range map[string]struct {
		request unpark.Request
		want    bool
	}{
		"a counter in the query": {unpark.Request{URL: "http://h/photo?v={{counter}}"}, true},
		"a body":                 {unpark.Request{URL: "http://h/history", Payload: drawn{}}, true},
		"the same each time":     {unpark.Request{URL: "http://h/history?k=v", Body: []byte("x")}, false},
	} {
		text, err := json.Marshal(unpark.Plan{Requests: []unpark.Request{c.request}}.Redacted())
		if err != nil {
			t.Fatal(err)
		}
		var read unpark.Plan
		if err := json.Unmarshal(text, &read); err != nil || read.Requests[0].FilledIn() != c.want || read.Redacted().Requests[0].FilledIn() != c.want {
			t.Errorf("%s: %s, filled in %v, %v", name, text, read.Requests[0].FilledIn(), err)
		}
	}
}

// drawn is a body that is another one each time.
type drawn struct{}

func (drawn) Append(dst []byte, _ uint64, k int64) []byte { return strconv.AppendInt(dst, k, 10) }
