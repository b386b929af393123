//go:build unix

package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// asService makes the test binary run as the service, so that Fiber, which
// starts workers from os.Args[0], can be tested as it is.
const asService = "CATALOG_TEST_SERVICE"

func TestMain(m *testing.M) {
	if os.Getenv(asService) != "" {
		main()
	}
	os.Exit(m.Run())
}

func TestPreforkStartsAndEndsItsWorkers(t *testing.T) {
	for _, workers := range []int{2, 4} {
		t.Run(fmt.Sprint(workers), func(t *testing.T) {
			addr := freeAddr(t)
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-addr", addr, "-prefork", fmt.Sprint(workers), "-pick", "index")
			cmd.Env = append(os.Environ(), asService+"=1", "UNPARK_PROBE=")
			said, err := cmd.StderrPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			// Whatever goes wrong below, nothing may stay behind: the pipe ends
			// when the last process that can write to it has ended.
			deadline := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
			defer deadline.Stop()

			lines := bufio.NewScanner(said)
			pids := map[string]bool{}
			for len(pids) < workers && lines.Scan() {
				var pid string
				if _, err := fmt.Sscanf(lines.Text(), "catalog: process %s serves", &pid); err == nil {
					pids[pid] = true
				}
			}
			if len(pids) != workers {
				t.Errorf("%d workers said that they serve, want %d", len(pids), workers)
			}
			if pids[fmt.Sprint(cmd.Process.Pid)] {
				t.Error("the master serves too")
			}
			checkRead(t, "http://"+addr+"/read")

			if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			rest, _ := io.ReadAll(said)
			if err := cmd.Wait(); err != nil {
				t.Errorf("the master ended with %v, after %s", err, rest)
			}
			if conn, err := net.Dial("tcp", addr); err == nil {
				conn.Close()
				t.Errorf("%s is still served", addr)
			}
		})
	}
}

func checkRead(t *testing.T, url string) {
	t.Helper()
	for range 10 {
		client := http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
		resp, err := client.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || !strings.HasPrefix(string(body), `{"id":`) {
			t.Fatalf("answer %d %.80s, %v", resp.StatusCode, body, err)
		}
	}
}

// freeAddr returns an address that was free a moment ago.
func freeAddr(t *testing.T) string {
	t.Helper()
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	return ln.Addr().String()
}
