package target

import (
	"context"
	"encoding/json"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
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
			if err := Build(t.Context(), BuildSpec{Package: "./cmd/server", Dir: dir, Output: out}); err != nil {
				t.Fatal(err)
			}
			if !maps.Equal(before, snapshot(t, dir)) {
				t.Error("the sources changed")
			}
			target := launch(t, Spec{Command: []string{out}}, confine)
			if err := target.WaitReady(t.Context(), ""); err != nil {
				t.Fatal(err)
			}
			p := withSockets(t, target, 1)[0]
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
