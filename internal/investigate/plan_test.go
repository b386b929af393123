package investigate

import (
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/store"
)

func TestOnly(t *testing.T) {
	for name, c := range map[string]struct {
		ports   []int
		sockets []string
		base    string
		says    string
	}{
		"a port":             {[]int{8080}, nil, "http://127.0.0.1:8080", ""},
		"a port beside":      {[]int{8080}, []string{"/run/admin.sock"}, "http://127.0.0.1:8080", ""},
		"a socket":           {nil, []string{"/run/x.sock"}, "unix:///run/x.sock:", ""},
		"an abstract socket": {nil, []string{"@x"}, "unix://@x:", ""},
		"nothing":            {nil, nil, "", "it listens on 0 ports []"},
		"two ports":          {[]int{1, 2}, []string{"/run/x.sock"}, "", "it listens on 2 ports [1 2]: name the one to load with --url"},
		"two sockets":        {nil, []string{"/a", "/b.sock"}, "", "no TCP port and on 2 unix sockets: name the one to load: --url unix:///a:/, or --url unix:///b.sock:/"},
	} {
		if base := only(c.ports, c.sockets); base != c.base {
			t.Errorf("%s: %q", name, base)
		}
		if c.says != "" && !strings.Contains(ambiguous(c.ports, c.sockets).Error(), c.says) {
			t.Errorf("%s: %v", name, ambiguous(c.ports, c.sockets))
		}
	}
}

// TestNoSecretInDocument: what is driven has the secrets, and the document has none,
// from its beginning on.
func TestNoSecretInDocument(t *testing.T) {
	var asked string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked = r.RequestURI }))
	defer server.Close()
	address := strings.Replace(server.URL, "http://", "http://ann:s3cret@", 1) + "/a?token=s3cret"
	c := Config{
		Command: []string{"./server", "-db", "postgres://ann:s3cret@db/x", "--api-key=s3cret"}, Pprof: []string{"http://s3cret@127.0.0.1:1/?k=s3cret"},
		Plan: unpark.Plan{Mode: unpark.Closed, Connections: 1, Timeout: 5, Requests: []unpark.Request{{URL: address}}},
	}
	r := newRunner(c)
	clean := func(when string) {
		text, err := json.Marshal(r.rec.run)
		if err != nil || strings.Contains(string(text), "s3cret") {
			t.Errorf("%s: %s, %v", when, text, err)
		}
	}
	clean("at the beginning")
	if err := r.load.prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	clean("planned")
	if asked != "/a?token=s3cret" || r.load.plan.Requests[0].URL != address || !strings.HasSuffix(r.rec.run.Target.URL, "/a?token=xxxxx") {
		t.Errorf("asked for %s; %s; %s", asked, r.load.plan.Requests[0].URL, r.rec.run.Target.URL)
	}
	external := newRunner(c).load
	if err := external.locate(t.Context()); err != nil || external.base != address || strings.Contains(external.rec.run.Target.URL, "s3cret") {
		t.Errorf("for a load command: %q, shown as %q, %v", external.base, external.rec.run.Target.URL, err)
	}
}

// TestNoSecretInWords: what a run says of itself may quote what others printed.
func TestNoSecretInWords(t *testing.T) {
	dir, err := store.Create(filepath.Join(t.TempDir(), "run"))
	if err != nil {
		t.Fatal(err)
	}
	r := newRunner(Config{})
	r.dir, r.service.loaded = dir, true
	r.rec.warn("load-url", "it printed GET http://ann:s3cret@h/?k=s3cret", "")
	out, err := r.keep(t.Context(), errors.New(`its last output: Get "http://h/?k=s3cret": EOF`))
	text, failed := json.Marshal(out.Run)
	if failed != nil || err == nil || strings.Contains(string(text), "s3cret") || !strings.Contains(out.Run.Partial, "k=xxxxx") {
		t.Errorf("%s, %v", text, err)
	}
}

// TestSocketInUse: a socket that another process answers at is not the target's; one
// that was left over is not an obstacle.
func TestSocketInUse(t *testing.T) {
	dir, err := os.MkdirTemp("", "u")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	socket := filepath.Join(dir, "s")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Net: "unix", Name: socket})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	s := newRunner(Config{Plan: unpark.Plan{Requests: []unpark.Request{{URL: unpark.UnixURL(socket, "/")}}}}).service
	if err := s.portFree(); err == nil || !strings.Contains(err.Error(), "another process answers at the socket "+socket) {
		t.Errorf("%v", err)
	}
	_ = l.Close()
	if err := s.portFree(); err != nil {
		t.Error(err)
	}
}
