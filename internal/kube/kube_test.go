package kube

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/unpark-go/unpark/internal/kube/kubetest"
	"github.com/unpark-go/unpark/internal/kube/manifest"
	"github.com/unpark-go/unpark/internal/kube/parcel"
)

// TestMain: under the name of kubectl the test binary is the stand-in for it.
func TestMain(m *testing.M) {
	switch {
	case filepath.Base(os.Args[0]) == "kubectl":
		kubetest.Main()
	case os.Getenv("UNPARK_KUBE_TEST_COMMAND") != "":
		command()
	}
	os.Exit(m.Run())
}

// stage is one run against a stand-in.
type stage struct {
	t    *testing.T
	told strings.Builder
	mu   sync.Mutex
	log  syncBuffer
	Config
}

type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// set puts up a cluster, and a run directory in it with one file.
func set(t *testing.T, c kubetest.Cluster) *stage {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("PATH", dir)
	self, err := os.Executable()
	check(t, err)
	check(t, os.Symlink(self, filepath.Join(dir, "kubectl")))
	check(t, os.MkdirAll(filepath.Join(dir, "cluster", "run", "window-01"), 0o700))
	check(t, os.WriteFile(filepath.Join(dir, "cluster", "run", "run.json"), []byte("{}"), 0o600))
	check(t, os.WriteFile(filepath.Join(dir, "cluster", "run", "window-01", "cpu"), bytes.Repeat([]byte("x"), 2000), 0o600))
	text, err := json.Marshal(c)
	check(t, err)
	check(t, os.WriteFile(filepath.Join(dir, "cluster", "cluster.json"), text, 0o600))
	s := &stage{t: t, Config: Config{
		Target: "deploy/checkout", Image: "r.example/unpark:1", Agents: 2, AgentCPU: "2", AgentMemory: "512Mi",
		TTL: 10 * time.Minute, ID: "test", Dir: filepath.Join(dir, "out"), Load: []string{"--rate=500/s"},
	}}
	s.Progress = &s.log
	s.Tell = func(line string) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.told.WriteString(line + "\n")
	}
	s.Fleet = func(f Session) (Pods, error) {
		return Pods{
			Coordinator: append([]string{"run", "--agents=2"}, append(f.Load, f.Endpoints...)...), Agent: []string{"agent"},
			Attach: func(name string) []string { return []string{"agent", name} },
			Secret: map[string]string{manifest.CredentialKey: "secret-word"},
		}, nil
	}
	return s
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// fast is the pace of tests: what must not happen takes long, what is waited for is short.
func fast() pace {
	return pace{
		patience: time.Minute, look: 5 * time.Millisecond, lonely: 0, pulling: 0, unplaced: 0,
		removal: 20 * time.Second, stopping: 20 * time.Second, fetching: 20 * time.Second, outage: time.Minute,
	}
}

func (s *stage) run(ctx context.Context, at pace) (Result, error) {
	s.t.Helper()
	p, err := Prepare(ctx, s.Config)
	check(s.t, err)
	check(s.t, p.Check(ctx))
	return p.paced(ctx, at)
}

func (s *stage) fails(words ...string) {
	s.t.Helper()
	_, err := s.run(context.Background(), fast())
	wants(s.t, err, words...)
	s.removed()
}

func wants(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error; want %q", words)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error %q lacks %q", err, w)
		}
	}
}

// removed: whatever happened, the Job that owns all was deleted, and nothing without an owner was made.
func (s *stage) removed() {
	s.t.Helper()
	if got := kubetest.Recorded("deleted"); len(got) != 1 || !strings.HasPrefix(got[0], "delete job unpark-test --cascade=foreground") {
		s.t.Errorf("deleted: %q", got)
	}
	if !strings.Contains(s.said(), "removed\n") {
		s.t.Errorf("it does not say that all is removed: %s", s.said())
	}
}

func (s *stage) said() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.told.String()
}

func annotatedShop() kubetest.Cluster {
	c := kubetest.Shop(kubetest.Annotated("6060"), kubetest.Annotated("6060"))
	c.End = parcel.End{Version: "test"}
	return c
}

func TestRun(t *testing.T) {
	s := set(t, annotatedShop())
	r, err := s.run(context.Background(), fast())
	check(t, err)
	if r.Status != 0 || r.Dir != s.Dir {
		t.Errorf("result %+v", r)
	}
	if b, err := os.ReadFile(filepath.Join(r.Dir, "window-01", "cpu")); err != nil || len(b) != 2000 {
		t.Errorf("the run directory lacks its profile: %d bytes, %v", len(b), err)
	}
	s.removed()
	for _, want := range []string{
		"kubectl 1.32.4 (cluster 1.37.2), context test, namespace shop",
		"load      http://checkout.shop.svc:80/ by 2 agents, on other nodes than the target's",
		"capture   pod/checkout-a on node-1: http://10.1.0.1:6060/debug/pprof",
		"makes     job/unpark-test, serviceaccount/unpark-test",
		"within 11m0s if unpark is gone", "all pods run",
	} {
		if !strings.Contains(s.said(), want) {
			t.Errorf("it does not say %q:\n%s", want, s.said())
		}
	}
	if !strings.Contains(s.log.String(), "window      15s\n") || !strings.Contains(s.log.String(), `a \x1b[31mtrick`) {
		t.Errorf("log of the coordinator: %q", s.log.String())
	}
	for _, call := range kubetest.Recorded("calls") {
		if strings.Contains(call, "secret-word") {
			t.Errorf("the credential is in a command line: %s", call)
		}
	}
}

// TestOwner: what is made goes with the one Job that the cluster ends by itself, also when
// unpark is killed after any of its calls.
func TestOwner(t *testing.T) {
	s := set(t, annotatedShop())
	_, err := s.run(context.Background(), fast())
	check(t, err)
	made := kubetest.Recorded("created")
	if len(made) != 7 {
		t.Fatalf("%d objects were made", len(made))
	}
	for i, line := range made {
		var o struct {
			Kind     string
			Metadata struct {
				Name            string
				Labels          map[string]string
				OwnerReferences []struct{ Kind, Name, UID string }
			}
			Spec struct {
				ActiveDeadlineSeconds, TTLSecondsAfterFinished int
			}
		}
		check(t, json.Unmarshal([]byte(line), &o))
		if o.Metadata.Labels["app.kubernetes.io/managed-by"] != "unpark" || o.Metadata.Labels["app.kubernetes.io/instance"] != "unpark-test" {
			t.Errorf("labels of %s: %v", o.Kind, o.Metadata.Labels)
		}
		switch owners := o.Metadata.OwnerReferences; {
		case i == 0 && (o.Kind != "Job" || len(owners) != 0 || o.Spec.ActiveDeadlineSeconds != 600 || o.Spec.TTLSecondsAfterFinished != int(afterwards.Seconds())):
			t.Errorf("the first object is no Job that ends and goes by itself: %s", line)
		case i > 0 && (len(owners) != 1 || owners[0].Kind != "Job" || owners[0].Name != "unpark-test" || owners[0].UID != "f1e2d3c4-0000-4000-8000-000000000001"):
			t.Errorf("%s/%s is not owned by the Job: %+v", o.Kind, o.Metadata.Name, owners)
		}
	}
}
