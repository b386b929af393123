package web

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/index"
	"github.com/unpark-go/unpark/internal/index/notes"
	"github.com/unpark-go/unpark/internal/store"
)

// hostile is a name as a profile or a folder from elsewhere could have it.
const hostile = `<img src=x onerror="document.title='owned'">`

// sample is run number i of a series; every figure is what it is by slow.
func sample(i int, slow float64) unpark.Run {
	at := time.Date(2026, 3, 1, 0, i, 0, 0, time.UTC)
	return unpark.Run{
		ID: fmt.Sprintf("run-%04d", i), Started: at, Target: unpark.Target{Package: "./cmd/shop", Module: "example.com/shop"},
		Plan:  unpark.Plan{Mode: unpark.Closed, Connections: 8, Requests: []unpark.Request{{Method: "GET", URL: "http://127.0.0.1:1/items"}}},
		Limit: unpark.Limit{Kind: unpark.LimitLock, Why: "a lock"},
		Findings: []unpark.Finding{{
			Rank: 1, Class: unpark.ClassLock, Title: "requests queue " + hostile, Site: unpark.Site{Function: "example.com/shop.(*Cache).Get" + hostile, File: "a.go", Line: 7},
			Cost: unpark.Cost{WaitPerRequest: unpark.Measured(0.02*slow, "s/req", 9)},
		}},
		Windows: []unpark.Window{{
			Start: at, End: at.Add(time.Second),
			Load:      &unpark.Load{Mode: unpark.Closed, Requests: 900, AchievedRPS: 900 / slow, OfferedRPS: 900 / slow, Response: unpark.Latency{P50: 0.001 * slow, P99: 0.01 * slow, Max: 0.02, Min: 0.0001, N: 900}},
			Processes: []unpark.Process{{PID: 1, State: "whole", Cores: unpark.Num(0.5)}},
		}},
	}
}

func save(t testing.TB, dir string, r unpark.Run) {
	t.Helper()
	d, err := store.Create(dir)
	if err == nil {
		_, err = d.Commit(r)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// noise is ±3 %, the same for the same run.
func noise(i int) float64 { return 1 + 0.03*math.Sin(float64(i*i)*1.7) }

// site is a server of a folder, and a browser that was let in.
type site struct {
	*Server
	root, url string
	client    *http.Client
}

func serve(t testing.TB, root string) *site {
	t.Helper()
	x, err := index.Open(context.Background(), root, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.Refresh(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	l, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := New(x, unpark.Version{Version: "v1"}, l)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	address := s.Address()
	go func() { done <- s.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		x.Close()
	})
	jar, _ := cookiejar.New(nil)
	out := &site{Server: s, root: root, url: "http://" + l.Addr().String(), client: &http.Client{Jar: jar}}
	r, err := out.client.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	return out
}

func (s *site) get(t testing.TB, path string) (int, string) {
	t.Helper()
	r, err := s.client.Get(s.url + path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(b)
}

func (s *site) json(t testing.TB, path string, into any) {
	t.Helper()
	status, text := s.get(t, path)
	if err := json.Unmarshal([]byte(text), into); status != http.StatusOK || err != nil {
		t.Fatalf("%s: %d, %v: %s", path, status, err, text)
	}
}

// shop is a folder with a series that got slower, a part of an experiment, and what cannot be read.
func shop(t testing.TB) string {
	root := t.TempDir()
	for i := range 24 {
		slow := noise(i)
		if i >= 14 {
			slow *= 1.3
		}
		save(t, filepath.Join(root, fmt.Sprintf("run-%02d", i)), sample(i, slow))
	}
	save(t, filepath.Join(root, "proof", "before"), sample(30, 1))
	save(t, filepath.Join(root, "proof", "after"), sample(31, 0.5))
	for name, text := range map[string]string{
		"proof/ab.json":      `{"schema":"unpark.ab/v1","rounds":2,"refused":[],"floor":{},"effects":[{"metric":"p99","before":{"value":0.01,"unit":"s","n":2},"after":{"value":0.005,"unit":"s","n":2},"ratio":{"value":0.5,"unit":"ratio","low":0.4,"high":0.6,"n":2},"p":0.01,"verdict":"better"}],"findings":[],"forecasts":[],"why":"it waits less","warnings":[]}`,
		"proof/rounds.jsonl": `{"round":1,"role":"before","sample":{"p99":0.01}}` + "\n" + `{"round":1,"role":"after","sample":{"p99":0.005}}` + "\nno line\n",
		"proof/report.html":  "<script>document.title='owned'</script>",
		"newer/run.json":     `{"schema":"unpark.run/v9"}`,
	} {
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestPages(t *testing.T) {
	s := serve(t, shop(t))
	for _, tt := range []struct {
		path   string
		status int
		says   string
	}{
		{"/", 200, "home.js"},
		{"/run/run-03", 200, `href="/compare?run=run-02&amp;run=run-03"`},
		{"/run/run-03", 200, "<h1"},
		{"/run/proof/before", 200, "/experiment/proof"},
		{"/run/newer", 422, "newer one"},
		{"/run/nothing", 404, "removed or renamed"},
		{"/run/../../etc/passwd", 404, ""},
		{"/run/proof", 404, "folder of an experiment"},
		{"/experiment/proof", 200, "t waits less"},
		{"/experiment/run-03", 404, "is a run"},
		{"/compare?run=run-03&run=run-20", 200, "proof in rounds: proof"},
		{"/compare?run=run-03&run=run-20&run=run-21", 200, "-word"},
		{"/compare?run=run-03", 400, "choose 2 to 8"},
		{"/compare?run=run-03&run=nothing", 404, "removed or renamed"},
		{"/compare?run=run-03&run=proof", 400, "a comparison of its own"},
		{"/nothing", 404, "begin at the list"},
		{"/assets/home.js", 200, "import"},
		{"/assets/base.js", 200, "export"},
		{"/assets/report.css", 200, ":root"},
		{"/assets/error.html.tmpl", 404, ""},
	} {
		status, text := s.get(t, tt.path)
		if status != tt.status || !strings.Contains(text, tt.says) {
			t.Errorf("%s: %d, want %d and %q in\n%.600s", tt.path, status, tt.status, tt.says, text)
		}
		if strings.Contains(text, "<img") || strings.Contains(text, "owned'</script>") {
			t.Errorf("%s: a name came through", tt.path)
		}
	}
}

func TestList(t *testing.T) {
	s := serve(t, shop(t))
	var all struct {
		All      int
		Rows     []index.Row
		Services []index.Service
		Notes    map[string]notes.Note
	}
	s.json(t, "/api/runs", &all)
	if len(all.Rows) != 28 || all.All != 28 || len(all.Services) != 1 || all.Services[0].Runs != 26 {
		t.Errorf("%d rows, %+v", len(all.Rows), all.Services)
	}
	s.json(t, "/api/runs?function=cache", &all)
	if len(all.Rows) != 26 || all.All != 28 {
		t.Errorf("%d of %d rows with a function", len(all.Rows), all.All)
	}
}

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

func TestNote(t *testing.T) {
	s := serve(t, shop(t))
	post := func(body, kind, origin string) int {
		r, _ := http.NewRequest(http.MethodPost, s.url+"/api/note", strings.NewReader(body))
		r.Header.Set("Content-Type", kind)
		if origin != "" {
			r.Header.Set("Origin", origin)
		}
		got, err := s.client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		got.Body.Close()
		return got.StatusCode
	}
	note := `{"path":"run-03","note":{"tags":["release"],"text":"why"}}`
	for _, tt := range []struct {
		body, kind, origin string
		want               int
	}{
		{note, "application/json", s.url, 200},
		{note, "application/json", "", 403},
		{note, "application/json", "http://evil.example", 403},
		{note, "text/plain", s.url, 415},
		{`{`, "application/json", s.url, 400},
		{`{"path":"../x","note":{"text":"x"}}`, "application/json", s.url, 404},
		{`{"path":"run-03","note":{"text":"` + strings.Repeat("x", 20<<10) + `"}}`, "application/json", s.url, 409},
		{strings.Repeat(" ", largestAsk) + note, "application/json", s.url, 400},
	} {
		if got := post(tt.body, tt.kind, tt.origin); got != tt.want {
			t.Errorf("%.60s from %q: %d, want %d", tt.body, tt.origin, got, tt.want)
		}
	}
	all, err := (&notes.Notes{Root: s.root}).All()
	if err != nil || len(all) != 1 || all["run-03"].Text != "why" {
		t.Errorf("notes %v, %v", all, err)
	}
}

// Only who names the server and holds its key is answered.
func TestGuard(t *testing.T) {
	s := serve(t, shop(t))
	port := s.url[strings.LastIndex(s.url, ":"):]
	cookie := &http.Cookie{Name: s.cookie(), Value: s.session}
	for _, tt := range []struct {
		name, host, path string
		cookie           bool
		origin           string
		want             int
	}{
		{"let in", "127.0.0.1" + port, "/", true, "", 200},
		{"by another name of this machine", "localhost" + port, "/", true, "", 200},
		{"no cookie", "127.0.0.1" + port, "/api/runs", false, "", 403},
		{"another host's name", "evil.example" + port, "/", true, "", 421},
		{"another port", "127.0.0.1:1", "/", true, "", 421},
		{"another site", "127.0.0.1" + port, "/api/runs", true, "http://evil.example", 403},
		{"no site", "127.0.0.1" + port, "/api/runs", true, "null", 403},
		{"a wrong key", "127.0.0.1" + port, "/?key=x", false, "", 403},
		{"the key", "127.0.0.1" + port, "/?key=" + s.key + "&service=a", false, "", 303},
		{"the key to another host's path", "127.0.0.1" + port, "//evil.example/?key=" + s.key, false, "", 303},
	} {
		r := httptest.NewRequest(http.MethodGet, tt.path, nil)
		r.Host = tt.host
		if strings.HasPrefix(tt.path, "//") {
			r.URL.Path, r.URL.Host = "//evil.example/", ""
		}
		if tt.cookie {
			r.AddCookie(cookie)
		}
		if tt.origin != "" {
			r.Header.Set("Origin", tt.origin)
		}
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		if w.Code != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, w.Code, tt.want)
		}
		if to := w.Header().Get("Location"); strings.Contains(to, "key") || strings.HasPrefix(to, "//") || strings.Contains(to, "evil") {
			t.Errorf("%s: sent to %s", tt.name, to)
		}
		if set := w.Header().Get("Set-Cookie"); tt.want == 303 && (!strings.Contains(set, "HttpOnly") || !strings.Contains(set, "SameSite=Strict")) {
			t.Errorf("%s: cookie %s", tt.name, set)
		}
		if csp := w.Header().Get("Content-Security-Policy"); !strings.Contains(csp, "frame-ancestors 'none'") {
			t.Errorf("%s: policy %q", tt.name, csp)
		}
	}
}

func TestListen(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", ":0", "192.0.2.1:0", "[::]:0", "example.com:0", "127.0.0.1"} {
		if l, err := Listen(address); err == nil || !strings.Contains(err.Error(), "listen on "+address) {
			t.Errorf("%s: %v, %v", address, l, err)
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := Listen(l.Addr().String()); err == nil || !strings.Contains(err.Error(), "--listen") {
		t.Errorf("a port that is taken: %v", err)
	}
}
