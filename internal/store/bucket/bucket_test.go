package bucket

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

const secret = "the-secret-of-the-test"

// server is an S3 server over loopback.
type server struct {
	*httptest.Server
	backend *s3mem.Backend
	deaf    bool         // it takes no notice of If-None-Match
	unable  bool         // it refuses it
	puts    atomic.Int64 // requests with PUT
	gets    atomic.Int64
	failing atomic.Pointer[func(*http.Request) bool]
}

func serve(t *testing.T) *server {
	t.Helper()
	s := &server{backend: s3mem.New()}
	if err := s.backend.CreateBucket("perf"); err != nil {
		t.Fatal(err)
	}
	fake := gofakes3.New(s.backend, gofakes3.WithIntegrityCheck(true)).Server()
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.Header.Get("Authorization"), "Credential=tester/") {
			w.WriteHeader(http.StatusForbidden)
			fmt.Fprint(w, "<Error><Code>InvalidAccessKeyId</Code><Message>The \x1b[31mkey\x1b[0m does not exist in our records.</Message></Error>")
			return
		}
		switch r.Method {
		case http.MethodPut:
			s.puts.Add(1)
		case http.MethodGet:
			s.gets.Add(1)
		}
		if fail := s.failing.Load(); fail != nil && (*fail)(r) {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		if s.deaf {
			r.Header.Del("If-None-Match")
		}
		if s.unable && r.Header.Get("If-None-Match") != "" {
			w.WriteHeader(http.StatusNotImplemented)
			fmt.Fprint(w, "<Error><Code>NotImplemented</Code><Message>A header you provided implies functionality that is not implemented</Message></Error>")
			return
		}
		fake.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	t.Setenv("AWS_ACCESS_KEY_ID", "tester")
	t.Setenv("AWS_SECRET_ACCESS_KEY", secret)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("AWS_ENDPOINT_URL", "")
	t.Setenv("UNPARK_S3_ENDPOINT", s.URL)
	return s
}

// fail makes the server answer 503 to some requests.
func (s *server) fail(which func(*http.Request) bool) { s.failing.Store(&which) }

func (s *server) store(t *testing.T) *Store {
	t.Helper()
	st, err := Open("s3://perf/nightly")
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// put writes an object past the store.
func (s *server) put(t *testing.T, key, text string) {
	t.Helper()
	if _, err := s.backend.PutObject("perf", key, map[string]string{"Last-Modified": time.Now().UTC().Format(http.TimeFormat)}, strings.NewReader(text), int64(len(text)), nil); err != nil {
		t.Fatal(err)
	}
}

// newRun makes a directory with the files of a run.
func newRun(t *testing.T, name string, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	for file, text := range files {
		at := filepath.Join(dir, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

var usualFiles = map[string]string{
	"run.json":                `{"schema":"unpark.run/v1"}`,
	"report.html":             "<html>",
	"window-01/7/cpu.pb.gz":   strings.Repeat("cpu", 1000),
	"window-01/7/trace.out":   strings.Repeat("trace", 300_000),
	"window-01/metrics.jsonl": "",
	"window-01/-1/heap.pb.gz": "ü\x00",
}

func sameTree(t *testing.T, want map[string]string, dir string) {
	t.Helper()
	n := 0
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		n++
		rel, _ := filepath.Rel(dir, p)
		text, err := os.ReadFile(p)
		if w, is := want[filepath.ToSlash(rel)]; err == nil && (!is || w != string(text)) {
			t.Errorf("%s is not what was pushed", rel)
		}
		if info, err := d.Info(); err == nil && info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %o", rel, info.Mode().Perm())
		}
		return err
	})
	if err != nil || n != len(want) {
		t.Errorf("%d files of %d: %v", n, len(want), err)
	}
}

func TestRoundTrip(t *testing.T) {
	s := serve(t)
	st := s.store(t)
	dir := newRun(t, "20261124-230000.000", usualFiles)
	p, err := st.Push(t.Context(), dir)
	if err != nil || p.Already || p.Unguarded || p.Files != len(usualFiles) {
		t.Fatalf("push: %+v, %v", p, err)
	}
	into := filepath.Join(t.TempDir(), "a", "back")
	n, bytes, err := st.Pull(t.Context(), p.Run, into)
	if err != nil || n != len(usualFiles) || bytes != p.Bytes {
		t.Fatal(n, bytes, err)
	}
	sameTree(t, usualFiles, into)
	if _, _, err := st.Pull(t.Context(), p.Run, into); err == nil || !strings.Contains(err.Error(), "exists already") {
		t.Errorf("pulled over a directory: %v", err)
	}
	if p, err = st.Push(t.Context(), dir); err != nil || !p.Already {
		t.Errorf("pushed twice: %+v, %v", p, err)
	}
	runs, err := st.Runs(t.Context())
	if err != nil || len(runs) != 1 || runs[0].Unfinished || runs[0].Run != "20261124-230000.000" {
		t.Errorf("runs: %+v, %v", runs, err)
	}
	other := newRun(t, "20261124-230000.000", map[string]string{"run.json": "{}"})
	if _, err := st.Push(t.Context(), other); !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), "never replaced") {
		t.Errorf("another run under the name: %v", err)
	}
	if err := st.Remove(t.Context(), p.Run); err != nil {
		t.Fatal(err)
	}
	if left := s.keys(t); len(left) != 0 {
		t.Errorf("left after rm: %v", left)
	}
	if _, err := os.Stat(filepath.Join(dir, "run.json")); err != nil {
		t.Error(err)
	}
}

func (s *server) keys(t *testing.T) (out []string) {
	t.Helper()
	l, err := s.backend.ListBucket("perf", nil, gofakes3.ListBucketPage{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range l.Contents {
		out = append(out, c.Key)
	}
	return out
}

func TestClean(t *testing.T) {
	s := serve(t)
	st := s.store(t)
	s.fail(func(r *http.Request) bool {
		return r.Method == http.MethodPut && strings.HasSuffix(r.URL.Path, ".unpark/r1.json")
	})
	if _, err := st.Push(t.Context(), newRun(t, "r1", usualFiles)); err == nil || !strings.Contains(err.Error(), "repeat the push") {
		t.Fatalf("without a manifest: %v", err)
	}
	s.failing.Store(nil)
	s.put(t, "nightly/r1/somebody-elses.txt", "x")
	if out, err := st.Clean(t.Context(), time.Now().Add(-time.Hour)); err != nil || len(out) != 0 {
		t.Errorf("a fresh one was cleaned: %v, %v", out, err)
	}
	if out, err := st.Clean(t.Context(), time.Now().Add(time.Hour)); err != nil || len(out) != 1 {
		t.Errorf("cleaned %v, %v", out, err)
	}
	if left := s.keys(t); len(left) != 1 || left[0] != "nightly/r1/somebody-elses.txt" {
		t.Errorf("left: %v", left)
	}
}

// The name of a run that another one is being pushed under is taken over only when that upload is old.
func TestDraftOfAnother(t *testing.T) {
	s := serve(t)
	st := s.store(t)
	s.fail(func(r *http.Request) bool {
		return r.Method == http.MethodPut && strings.HasSuffix(r.URL.Path, ".unpark/r1.json")
	})
	if _, err := st.Push(t.Context(), newRun(t, "r1", usualFiles)); err == nil {
		t.Fatal("no error")
	}
	s.failing.Store(nil)
	other := map[string]string{"run.json": "{ }"}
	dir := newRun(t, "r1", other)
	if _, err := st.Push(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "has not ended") {
		t.Fatalf("two uploads under one name: %v", err)
	}
	st.now = func() time.Time { return time.Now().Add(abandoned + time.Minute) }
	if _, err := st.Push(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	into := filepath.Join(t.TempDir(), "back")
	if _, _, err := st.Pull(t.Context(), "r1", into); err != nil {
		t.Fatal(err)
	}
	sameTree(t, other, into)
	if left := s.keys(t); len(left) != 2 {
		t.Errorf("of the old upload is left: %v", left)
	}
}

// A server that takes no notice of the condition is found out, and a run that is there is not replaced all the same.
func TestDeafServer(t *testing.T) {
	for _, unable := range []bool{false, true} {
		s := serve(t)
		s.deaf, s.unable = !unable, unable
		st := s.store(t)
		p, err := st.Push(t.Context(), newRun(t, "r1", usualFiles))
		if err != nil || !p.Unguarded {
			t.Fatalf("refuses %v: %+v, %v", unable, p, err)
		}
		if _, err := st.Push(t.Context(), newRun(t, "r1", map[string]string{"run.json": "{}"})); !errors.Is(err, fs.ErrExist) {
			t.Errorf("refuses %v: replaced: %v", unable, err)
		}
		if _, _, err := st.Pull(t.Context(), "r1", filepath.Join(t.TempDir(), "x")); err != nil {
			t.Error(err)
		}
	}
}

// Another upload begins and ends between the first look for a run of the name and the claim of it: nothing of it is touched.
func TestOvertaken(t *testing.T) {
	s := serve(t)
	first, second := newRun(t, "r1", usualFiles), newRun(t, "r1", map[string]string{"run.json": "{}"})
	var once sync.Once
	s.fail(func(r *http.Request) bool {
		if r.Method == http.MethodPut && strings.HasSuffix(r.URL.Path, draftFile) {
			once.Do(func() {
				s.failing.Store(nil)
				if _, err := s.store(t).Push(t.Context(), first); err != nil {
					t.Error(err)
				}
			})
		}
		return false
	})
	if _, err := s.store(t).Push(t.Context(), second); !errors.Is(err, fs.ErrExist) {
		t.Errorf("both were kept: %v", err)
	}
	into := filepath.Join(t.TempDir(), "x")
	if _, _, err := s.store(t).Pull(t.Context(), "r1", into); err != nil {
		t.Fatal(err)
	}
	sameTree(t, usualFiles, into)
	for _, k := range s.keys(t) {
		if strings.HasSuffix(k, draftFile) {
			t.Errorf("%s is left", k)
		}
	}
}

// Of two uploads under one name at one moment, one is kept.
func TestRace(t *testing.T) {
	s := serve(t)
	dirs := []map[string]string{{"run.json": "{}"}, {"run.json": "{ }"}}
	errs := make(chan error, 2)
	for _, files := range dirs {
		dir, st := newRun(t, "r1", files), s.store(t)
		go func() {
			_, err := st.Push(t.Context(), dir)
			errs <- err
		}()
	}
	a, b := <-errs, <-errs
	if (a == nil) == (b == nil) {
		t.Fatalf("want one of two: %v; %v", a, b)
	}
	if _, _, err := s.store(t).Pull(t.Context(), "r1", filepath.Join(t.TempDir(), "x")); err != nil {
		t.Error(err)
	}
}

func TestRefused(t *testing.T) {
	s := serve(t)
	dir := newRun(t, "r1", usualFiles)
	for _, c := range []struct {
		name, address, key, want string
		is                       error
	}{
		{"wrong credentials", "s3://perf/x", "somebody", "check AWS_ACCESS_KEY_ID", fs.ErrPermission},
		{"no credentials", "s3://perf/x", "", "no credentials were found: set AWS_ACCESS_KEY_ID", fs.ErrPermission},
		{"no bucket", "s3://other/x", "tester", "has no bucket other: make it", nil},
		{"no server", "s3://perf/x?endpoint=http://127.0.0.1:1", "tester", "was not reached", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("AWS_ACCESS_KEY_ID", c.key)
			t.Setenv("AWS_SECRET_ACCESS_KEY", map[bool]string{true: "", false: secret}[c.key == ""])
			t.Setenv("AWS_SHARED_CREDENTIALS_FILE", filepath.Join(t.TempDir(), "none"))
			st, err := Open(c.address)
			if err != nil {
				t.Fatal(err)
			}
			_, err = st.Push(t.Context(), dir)
			if err == nil || !strings.Contains(err.Error(), c.want) || c.is != nil && !errors.Is(err, c.is) {
				t.Errorf("push: %v", err)
			}
			if err != nil && (strings.Contains(err.Error(), secret) || strings.Contains(err.Error(), "\x1b")) {
				t.Errorf("the error holds what it must not: %q", err)
			}
			if err := st.Check(t.Context()); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("check: %v", err)
			}
		})
	}
	if n := len(s.keys(t)); n != 0 {
		t.Errorf("%d objects", n)
	}
}

// Credentials of a profile file are taken.
func TestProfileFile(t *testing.T) {
	s := serve(t)
	t.Setenv("AWS_ACCESS_KEY_ID", "")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "")
	file := filepath.Join(t.TempDir(), "credentials")
	if err := os.WriteFile(file, []byte("[perf]\naws_access_key_id = tester\naws_secret_access_key = "+secret+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", file)
	t.Setenv("AWS_PROFILE", "perf")
	if err := s.store(t).Check(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestCorrupt(t *testing.T) {
	s := serve(t)
	st := s.store(t)
	if _, err := st.Push(t.Context(), newRun(t, "r1", usualFiles)); err != nil {
		t.Fatal(err)
	}
	into := filepath.Join(t.TempDir(), "back")
	for _, c := range []struct{ text, want string }{
		{strings.Repeat("cpu", 999) + "cpx", "its SHA-256 is"},
		{"short", "another size than 3000 bytes"},
		{strings.Repeat("x", 10_000), "another size than 3000 bytes"},
	} {
		s.put(t, "nightly/r1/window-01/7/cpu.pb.gz", c.text)
		_, _, err := st.Pull(t.Context(), "r1", into)
		if !errors.Is(err, errCorrupt) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "window-01/7/cpu.pb.gz") {
			t.Errorf("%v", err)
		}
		if _, err := os.Stat(into); err == nil {
			t.Error("a run with a corrupt file is there")
		}
		m, err := st.Mirror()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Fetch(t.Context(), "r1", Profiles); !errors.Is(err, errCorrupt) {
			t.Errorf("fetched: %v", err)
		}
	}
	s.put(t, "nightly/r1/window-01/7/cpu.pb.gz", usualFiles["window-01/7/cpu.pb.gz"])
	if _, err := s.backend.DeleteObject("perf", "nightly/r1/run.json"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := st.Pull(t.Context(), "r1", into); err == nil || !strings.Contains(err.Error(), "lost a file") {
		t.Errorf("%v", err)
	}
}
