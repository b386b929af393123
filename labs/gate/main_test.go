//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// as makes the test binary run as the service, or as a client of its probe: each
// rule is shown with real processes.
const as = "GATE_TEST_RUNS_AS"

func TestMain(m *testing.M) {
	switch os.Getenv(as) {
	case "service":
		main()
	case "borrower":
		borrow()
	}
	os.Exit(m.Run())
}

// gate is a running service.
type gate struct {
	api   string        // URL
	pid   int           // of the process
	said  chan string   // lines of its standard error
	ended chan struct{} // when it is gone
}

// launch starts the service with what UNPARK_PROBE and UNPARK_PROBE_TOKEN say.
func launch(t *testing.T, probe, token string, args ...string) *gate {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], append([]string{"-addr", "127.0.0.1:0"}, args...)...)
	cmd.Env = append(os.Environ(), as+"=service", "UNPARK_PROBE="+probe, "UNPARK_PROBE_TOKEN="+token)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 20 * time.Second
	out, errOut := pipe(t, cmd.StdoutPipe), pipe(t, cmd.StderrPipe)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	g := &gate{pid: cmd.Process.Pid, said: make(chan string, 64), ended: make(chan struct{})}
	go func() {
		for lines := bufio.NewScanner(errOut); lines.Scan(); {
			g.said <- lines.Text()
		}
		close(g.said)
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	go func() {
		_, _ = io.Copy(io.Discard, out)
		for range g.said { // until it is closed: the pipe is at its end
		}
		_ = cmd.Wait()
		close(g.ended)
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		<-g.ended
	})
	_, url, ok := strings.Cut(strings.TrimSpace(line), "serves on ")
	if err != nil || !ok {
		t.Fatalf("it said %q, %v", line, err)
	}
	g.api = url
	return g
}

func pipe(t *testing.T, open func() (io.ReadCloser, error)) io.ReadCloser {
	t.Helper()
	r, err := open()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// probeAddr returns where the probe says that it serves.
func (g *gate) probeAddr(t *testing.T) string {
	t.Helper()
	select {
	case line := <-g.said:
		_, addr, ok := strings.Cut(line, "serves profiles on ")
		if !ok {
			t.Fatalf("it said %q", line)
		}
		return addr
	case <-time.After(30 * time.Second):
		t.Fatal("the probe does not say where it serves")
		return ""
	}
}

// get returns the status of an answer and its body.
func get(t *testing.T, url string, header ...string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range header {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
	client := http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

// profiles are the paths on which a profiler would look.
func profiles() []string {
	return []string{
		"/debug/pprof/", "/debug/pprof/heap", "/debug/pprof/profile?seconds=1", "/debug/pprof/cmdline",
		"/debug/unpark/info", "/debug/unpark/lease?block=1&mutex=1&ttl=1", "/debug/vars",
	}
}

// Off by default: without UNPARK_PROBE the process listens on its own port alone,
// and there is no profile on it.
func TestOffByDefault(t *testing.T) {
	g := launch(t, "", "")
	if status, body := get(t, g.api+"/till/7"); status != http.StatusOK || body != "1\n" {
		t.Errorf("the service answers %d %q", status, body)
	}
	for _, path := range profiles() {
		if status, body := get(t, g.api+path); status != http.StatusNotFound {
			t.Errorf("%s is answered with %d: %.80s", path, status, body)
		}
	}
	if n := listening(t, g.pid); n != 1 {
		t.Errorf("%d sockets are listened on, want that of the service", n)
	}
}

// Its own listener: with the probe on, the API's port still serves no profile, and
// the probe's port no API.
func TestRefusedOnTheAPIPort(t *testing.T) {
	g := launch(t, "127.0.0.1:0", "")
	probe := "http://" + g.probeAddr(t)
	for _, path := range profiles() {
		if status, body := get(t, g.api+path); status != http.StatusNotFound {
			t.Errorf("the API answers %s with %d: %.80s", path, status, body)
		}
	}
	if status, body := get(t, probe+"/debug/unpark/info"); status != http.StatusOK || !strings.Contains(body, fmt.Sprint(g.pid)) {
		t.Errorf("the probe answers %d %.200s", status, body)
	}
	if status, _ := get(t, probe+"/till/7"); status != http.StatusNotFound {
		t.Errorf("the probe answers the API's requests with %d", status)
	}
	if n := listening(t, g.pid); n != 2 {
		t.Errorf("%d sockets are listened on, want the service's and the probe's", n)
	}
}

// A socket in a folder is for the user alone, and no port is open.
func TestUnixSocket(t *testing.T) {
	dir, err := os.MkdirTemp("", "gate") // short: a socket's path has at most 103 bytes
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	g := launch(t, "unix:"+dir, "")
	socket := filepath.Join(dir, fmt.Sprint(g.pid)+".sock")
	info, err := os.Stat(socket)
	if err != nil {
		t.Fatal(err)
	}
	if mode := info.Mode().Perm(); mode != 0o600 {
		t.Errorf("the socket has mode %o", mode)
	}
	conn, err := net.Dial("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
	if n := listening(t, g.pid); n != 1 {
		t.Errorf("%d ports are listened on, want that of the service", n)
	}
}

// An address that other machines reach needs a token: without one the probe stays
// off, says why, and the service runs on.
func TestRefusedWithoutToken(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:0", ":0", "[::]:0"} {
		g := launch(t, addr, "")
		select {
		case line := <-g.said:
			if !strings.Contains(line, "UNPARK_PROBE_TOKEN") || !strings.Contains(line, "the service runs on") {
				t.Errorf("%s: it said %q", addr, line)
			}
		case <-time.After(30 * time.Second):
			t.Errorf("%s: it said nothing", addr)
		}
		if status, _ := get(t, g.api+"/till/7"); status != http.StatusOK {
			t.Errorf("%s: the service answers %d", addr, status)
		}
		if n := listening(t, g.pid); n != 1 {
			t.Errorf("%s: %d sockets are listened on", addr, n)
		}
	}
}

// With a token the probe serves those who send it, and nobody else.
func TestToken(t *testing.T) {
	const token = "correct-horse"
	g := launch(t, "0.0.0.0:0", token)
	_, port, err := net.SplitHostPort(g.probeAddr(t))
	if err != nil {
		t.Fatal(err)
	}
	info := "http://127.0.0.1:" + port + "/debug/unpark/info"
	for _, tt := range []struct {
		header []string
		status int
	}{
		{nil, http.StatusUnauthorized},
		{[]string{"Authorization: Bearer wrong-horse"}, http.StatusUnauthorized},
		{[]string{"Authorization: " + token}, http.StatusUnauthorized},
		{[]string{"Authorization: Bearer " + token}, http.StatusOK},
	} {
		if status, body := get(t, info, tt.header...); status != tt.status {
			t.Errorf("%q is answered with %d: %.80s", tt.header, status, body)
		}
	}
}

// A page in a browser on this machine cannot ask, whatever its name server says.
func TestRefusedToOtherSites(t *testing.T) {
	g := launch(t, "127.0.0.1:0", "")
	info := "http://" + g.probeAddr(t) + "/debug/unpark/info"
	if status, _ := get(t, info, "Sec-Fetch-Site: cross-site"); status != http.StatusForbidden {
		t.Errorf("another site is answered with %d", status)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, info, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Host = "shop.example"
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusForbidden {
		t.Errorf("another name is answered with %d", resp.StatusCode)
	}
}

// Rates are put back when the client that borrowed them is killed, to what the
// service itself had set.
func TestRatesComeBackWhenTheClientIsKilled(t *testing.T) {
	for _, own := range []int{0, 50} {
		g := launch(t, "127.0.0.1:0", "", "-mutex", fmt.Sprint(own))
		lease := "http://" + g.probeAddr(t) + "/debug/unpark/lease?block=1000000&mutex=7&ttl=600"
		if r := readRates(t, g); r.Mutex != own || r.Active {
			t.Fatalf("before: %+v", r)
		}
		client := exec.CommandContext(t.Context(), os.Args[0])
		client.Env = append(os.Environ(), as+"=borrower", "GATE_TEST_LEASE="+lease)
		out := pipe(t, client.StdoutPipe)
		if err := client.Start(); err != nil {
			t.Fatal(err)
		}
		line, err := bufio.NewReader(out).ReadString('\n')
		if err != nil || !strings.Contains(line, `"granted":true`) {
			t.Fatalf("the client got %q, %v", line, err)
		}
		if r := readRates(t, g); r.Mutex != 7 || !r.Active {
			t.Errorf("while they are lent: %+v", r)
		}
		if err := client.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = client.Wait()
		back := func() bool { r := readRates(t, g); return r.Mutex == own && !r.Active }
		for deadline := time.Now().Add(30 * time.Second); !back(); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("30 s after the client was killed: %+v, want fraction %d", readRates(t, g), own)
			}
		}
	}
}

// borrow holds a lease until it is killed.
func borrow() {
	resp, err := http.Get(os.Getenv("GATE_TEST_LEASE"))
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	_, _ = io.Copy(os.Stdout, resp.Body)
	os.Exit(0)
}

func readRates(t *testing.T, g *gate) (r rates) {
	t.Helper()
	_, body := get(t, g.api+"/rates")
	if err := json.Unmarshal([]byte(body), &r); err != nil {
		t.Fatalf("%v in %.80s", err, body)
	}
	return r
}

// listening counts the TCP sockets that a process listens on, from /proc.
func listening(t *testing.T, pid int) int {
	t.Helper()
	if _, err := os.Stat("/proc/self/net/tcp"); errors.Is(err, os.ErrNotExist) {
		t.Skip("only Linux tells what a process listens on")
	}
	fds, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	if err != nil {
		t.Fatal(err)
	}
	var mine []string
	for _, fd := range fds {
		if to, err := os.Readlink(fd); err == nil && strings.HasPrefix(to, "socket:[") {
			mine = append(mine, strings.Trim(to, "socket:[]"))
		}
	}
	n := 0
	for _, table := range []string{"tcp", "tcp6"} {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/net/%s", pid, table))
		if err != nil {
			continue // no IPv6 here
		}
		for line := range strings.Lines(string(data)) {
			f := strings.Fields(line)
			if len(f) > 9 && f[3] == "0A" && slices.Contains(mine, f[9]) { // 0A: TCP_LISTEN (include/net/tcp_states.h)
				n++
			}
		}
	}
	return n
}

func TestBadArguments(t *testing.T) {
	for _, tt := range []struct{ args, says string }{
		{"-mutex many", "invalid value"},
		{"now", `unexpected argument "now"`},
	} {
		var said strings.Builder
		if got := run(t.Context(), strings.Fields(tt.args), io.Discard, &said); got != 2 || !strings.Contains(said.String(), tt.says) {
			t.Errorf("%s: status %d, said %q; want %q", tt.args, got, said.String(), tt.says)
		}
	}
}
