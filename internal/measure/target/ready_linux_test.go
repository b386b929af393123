package target

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/target/confine"
)

func TestStartErrors(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string, mode os.FileMode) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return name
	}
	command := func(c ...string) Spec { return Spec{Command: c} }
	for name, c := range map[string]struct {
		spec Spec
		want []string
	}{
		"nothing":      {Spec{}, []string{"no command", "after --"}},
		"unknown":      {command("unpark-no-such-command"), []string{"not a command on PATH", "./unpark-no-such-command"}},
		"missing":      {command(filepath.Join(dir, "absent")), []string{"absent", "no such file", "check the path"}},
		"in Dir":       {Spec{Command: []string{"./absent"}, Dir: dir}, []string{"./absent", "no such file"}},
		"no x bit":     {command(file("plain", "#!/bin/sh\n", 0o600)), []string{"permission denied", "chmod +x"}},
		"folder":       {command(dir), []string{"it is a folder", "--pkg"}},
		"no program":   {command(file("text", "hello\n", 0o700)), []string{"exec format error", "GOARCH", "#!/bin/sh"}},
		"interpreter":  {command(file("script", "#!/no/such/shell\n", 0o700)), []string{"interpreter"}},
		"no Dir":       {Spec{Command: []string{"true"}, Dir: filepath.Join(dir, "none")}, []string{"none", "no such file"}},
		"Dir a file":   {Spec{Command: []string{"true"}, Dir: file("f", "", 0o600)}, []string{"not a folder"}},
		"less than 0":  {Spec{Command: []string{"true"}, Quota: -1}, []string{"-1 cores", "0.001 or more"}},
		"NaN":          {Spec{Command: []string{"true"}, Quota: math.NaN()}, []string{"NaN cores"}},
		"no processor": {Spec{Command: []string{"true"}, CPUs: []int{-1}}, []string{"processor -1", "choose among"}},
		"one of two":   {Spec{Command: []string{"true"}, CPUs: []int{confine.Allowed()[0], 1023}}, []string{"1023", "choose among"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("TMPDIR", t.TempDir())
			target, err := Start(t.Context(), c.spec)
			if err == nil {
				t.Fatal("it started:", target.Stop())
			}
			for _, want := range c.want {
				want = strings.ReplaceAll(want, "GOARCH", "build it for")
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q does not say %q", err, want)
				}
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than one line: %q", err)
			}
			for _, pattern := range []string{os.Getenv("TMPDIR") + "/*", fmt.Sprintf("/sys/fs/cgroup/*/unpark-%d-*", os.Getpid())} {
				if left, _ := filepath.Glob(pattern); len(left) > 0 {
					t.Errorf("left behind: %v", left)
				}
			}
		})
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Start(ended, command("true")); !errors.Is(err, context.Canceled) {
		t.Errorf("ctx had ended: %v", err)
	}
}

func TestTargetThatEndsAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		spec Spec
		want []string
	}{
		"exit":   {as("exit"), []string{"exit status 3", "by hand", "one\ntwo\nthree"}},
		"panic":  {as("panic"), []string{"exit status 2", "panic: the cache is nil", "goroutine 1"}},
		"clean":  {Spec{Command: []string{"true"}}, []string{"exited with status 0", "it printed nothing"}},
		"signal": {Spec{Command: []string{"sh", "-c", "kill -9 $$"}}, []string{"signal: killed", "memory"}},
		"daemon": {as("detach"), []string{"exited with status 0", "in the foreground"}},
	} {
		for _, url := range []string{"", "http://127.0.0.1:1/"} {
			t.Run(name+url[:min(4, len(url))], func(t *testing.T) {
				target := launch(t, c.spec, confine.Make)
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				err := target.WaitReady(ctx, url)
				if err == nil {
					t.Fatal("ready")
				}
				for _, want := range c.want {
					if !strings.Contains(err.Error(), want) {
						t.Errorf("%q does not say %q", err, want)
					}
				}
			})
		}
	}
}

func TestPortInUse(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	err = launch(t, as("serve", "PORT="+port), confine.Make).WaitReady(t.Context(), "")
	if err == nil {
		t.Fatal("ready")
	}
	for _, want := range []string{"exit status 1", fmt.Sprintf("process %d holds %s", os.Getpid(), l.Addr()), "another port"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not say %q", err, want)
		}
	}
}

func TestNeverReady(t *testing.T) {
	for name, c := range map[string]struct {
		role, url string
		want      []string
	}{
		"silent":    {"idle", "", []string{"not ready within", "a TCP port or a unix socket that it listens on", "by hand", "--url", "it printed nothing"}},
		"refused":   {"idle", "http://127.0.0.1:1/x", []string{"GET http://127.0.0.1:1/x", "connection refused", "listens on no TCP port"}},
		"elsewhere": {"serve", "http://127.0.0.1:1/", []string{"connection refused", "it listens on TCP port ", "--url"}},
		"secret":    {"idle", "http://u:s3cret@127.0.0.1:1/x?k=s3cret", []string{"GET http://xxxxx@127.0.0.1:1/x?k=xxxxx", "connection refused"}},
		"socket":    {"local", "http://127.0.0.1:1/", []string{"connection refused", "no TCP port, and on the unix socket ", "x.sock: name it with --url unix://", "x.sock:/"}},
		"no socket": {"idle", "unix:///no/such.sock:/x", []string{"GET unix:///no/such.sock:/x", "no such file"}},
		"https":     {"serve", "https://127.0.0.1:1/", []string{"GET https://127.0.0.1:1/"}},
	} {
		t.Run(name, func(t *testing.T) {
			spec := as(c.role)
			spec.Dir = t.TempDir()
			target := launch(t, spec, confine.Make)
			withSockets(t, target, 1)
			if c.role == "local" {
				eventually(t, "it listens", func() bool { sockets, _ := target.Sockets(); return len(sockets) == 1 })
			}
			if c.role == "serve" {
				eventually(t, "it listens", func() bool { ports, _ := target.Ports(); return len(ports) == 1 })
			}
			ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
			defer cancel()
			err := target.WaitReady(ctx, c.url)
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Fatalf("got %v", err)
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "s3cret") {
					t.Errorf("%q does not say %q", err, want)
				}
			}
		})
	}
}

// TestReadyOnSocket: a service that opens a unix socket alone is found there, by its
// absolute path, and its probe's socket is not taken for it.
func TestReadyOnSocket(t *testing.T) {
	spec := as("local")
	dir, err := os.MkdirTemp("", "u")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if spec.Dir, err = filepath.EvalSymlinks(dir); err != nil {
		t.Fatal(err)
	}
	target := launch(t, spec, confine.Make)
	w := waiter{target: target}
	target.portTime = time.Hour
	eventually(t, "the socket is seen", func() bool { return w.listens(t.Context()) != nil && !w.local.IsZero() })
	if err := w.listens(t.Context()); err == nil || !strings.Contains(err.Error(), "x.sock, and may open a port") {
		t.Errorf("ready before its time: %v", err)
	}
	target.portTime = 0
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := target.WaitReady(ctx, ""); err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(spec.Dir, "x.sock")
	if got, err := target.Sockets(); err != nil || !slices.Equal(got, []string{socket}) {
		t.Errorf("%q, %v; want %s", got, err, socket)
	}
	if ports, err := target.Ports(); err != nil || len(ports) > 0 {
		t.Errorf("ports %v, %v", ports, err)
	}
	if err := target.WaitReady(ctx, unpark.UnixURL(socket, "/a?b")); err != nil {
		t.Error(err)
	}
}

// TestReadyIsDialled: the addresses that were checked are asked, not the name.
func TestReadyIsDialled(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	spec := as("idle")
	var asked atomic.Value
	spec.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
		asked.Store(addr)
		return new(net.Dialer).DialContext(ctx, network, server.Listener.Addr().String())
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := launch(t, spec, confine.Make).WaitReady(ctx, "http://rebound.invalid:8080/"); err != nil || asked.Load() != "rebound.invalid:8080" {
		t.Errorf("asked %v, %v", asked.Load(), err)
	}
}

func TestWaitReadyIsInterrupted(t *testing.T) {
	target := launch(t, as("idle"), confine.Make)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := target.WaitReady(ctx, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	for _, bad := range []string{"127.0.0.1:80", "ftp://x/", "http://", "http://a b/", "/x"} {
		if err := target.WaitReady(t.Context(), bad); err == nil || !strings.Contains(err.Error(), "write it like") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// Any certificate, any status, and a redirect that is not followed will do; so
// will a server that speaks something else than HTTP/1.1.
func TestAnswersHTTP(t *testing.T) {
	redirect := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusFound)
	})
	plain, secure := httptest.NewServer(redirect), httptest.NewTLSServer(http.NotFoundHandler())
	defer plain.Close()
	defer secure.Close()
	h2c, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer h2c.Close()
	go func() {
		if c, err := h2c.Accept(); err == nil {
			_, _ = c.Write([]byte("\x00\x00\x06\x04\x00\x00\x00\x00\x00\x00\x05\x00\x00\x40\x00\n"))
			_, _ = io.Copy(io.Discard, c) // closing with something unread resets
			c.Close()
		}
	}()
	client, done := readyClient(nil)
	defer done()
	for _, url := range []string{plain.URL, secure.URL, "http://" + h2c.Addr().String()} {
		if err := client.asks(t.Context(), url); err != nil {
			t.Errorf("%s: %v", url, err)
		}
	}
	if err := client.asks(t.Context(), strings.Replace(plain.URL, "http:", "https:", 1)); err == nil {
		t.Error("https at a plain server is no answer")
	}
}

// lockedBuffer is a buffer that is read while it is written.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func TestEnvironment(t *testing.T) {
	var out lockedBuffer
	script := `echo "dir $(pwd) $PWD"; echo "probe $UNPARK_PROBE"; echo "mine $MINE"; echo end`
	dir := t.TempDir()
	target := launch(t, Spec{Command: []string{"sh", "-c", script}, Dir: dir, Env: []string{"MINE=1", "MINE=2"}, Output: &out}, confine.Make)
	<-target.Done()
	eventually(t, "its output has come", func() bool { return strings.HasSuffix(out.String(), "end\n") })
	want := fmt.Sprintf("dir %s %s\nprobe unix:%s\nmine 2\nend\n", dir, dir, target.ProbeDir())
	if out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
	own := launch(t, Spec{Command: []string{"sh", "-c", "echo $UNPARK_PROBE"}, Env: []string{"UNPARK_PROBE=127.0.0.1:0"}}, confine.Make)
	<-own.Done()
	if got := own.LastOutput(); got != "127.0.0.1:0" {
		t.Errorf("the user's own setting lost to %q", got)
	}
}

// A server that speaks HTTP/2 alone is ready, whether it ends other connections with a frame or without a word; one that only ends
// them is not.
func TestReadyByHTTP2(t *testing.T) {
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.Protocols = new(http.Protocols)
	server.Config.Protocols.SetUnencryptedHTTP2(true)
	server.Start()
	defer server.Close()
	client, done := readyClient(nil)
	defer done()
	if err := client.asks(t.Context(), server.URL); err != nil {
		t.Errorf("not ready: %v", err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			c.Close()
		}
	}()
	if err := client.asks(t.Context(), "http://"+l.Addr().String()); err == nil {
		t.Error("what ends every connection is ready")
	}
}
