package build

import (
	"context"
	"encoding/json"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/unpark-go/unpark/internal/measure/target"
)

// A service that knows nothing of profiling answers on the probe's socket, also
// when its module asks for an old Go.
func TestBuiltServiceAnswersTheProbe(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles net/http/pprof twice")
	}
	for _, directive := range []string{"1.18", "1.22"} {
		t.Run(directive, func(t *testing.T) {
			t.Parallel()
			dir := module(t, "plain")
			if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/plain\n\ngo "+directive+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			before := snapshot(t, dir)
			out := filepath.Join(t.TempDir(), "server")
			if err := Program(t.Context(), Spec{Package: "./cmd/server", Dir: dir, Output: out}); err != nil {
				t.Fatal(err)
			}
			if !maps.Equal(before, snapshot(t, dir)) {
				t.Error("the sources changed")
			}
			service, err := target.Start(t.Context(), target.Spec{Command: []string{out}})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := service.Stop(); err != nil {
					t.Error(err)
				}
			})
			if err := service.WaitReady(t.Context(), ""); err != nil {
				t.Fatal(err)
			}
			var p target.Process
			eventually(t, "its probe listens", func() bool {
				ps, err := service.Processes()
				if err != nil || len(ps) != 1 {
					t.Fatalf("%v, %v", ps, err)
				}
				p = ps[0]
				return p.Socket != ""
			})
			client := http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
				return new(net.Dialer).DialContext(ctx, "unix", p.Socket)
			}}}
			response, err := client.Get("http://probe/debug/unpark/info")
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			var info struct {
				PID    int
				Module string
			}
			if err := json.NewDecoder(response.Body).Decode(&info); err != nil || info.PID != p.PID || info.Module != "example.com/plain" {
				t.Errorf("status %d: %+v, %v", response.StatusCode, info, err)
			}
		})
	}
}
