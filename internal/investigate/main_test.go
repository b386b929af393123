package investigate

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/unpark-go/unpark/probe/agent"
)

// TestMain runs the test binary as a target when it is started as one: real
// processes without a build.
func TestMain(m *testing.M) {
	if mode := os.Getenv("UNPARK_TEST_SERVICE"); mode != "" {
		if err := serve(mode); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	for name, f := range map[string]func([]string) error{asAgents: standIns, asFolder: makeFolder} {
		if args := os.Getenv(name); args != "" {
			if err := f(strings.Fields(args)); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			return
		}
	}
	os.Exit(m.Run())
}

func serve(mode string) error {
	if _, err := agent.Start(agent.Options{}); err != nil {
		return err
	}
	mux := http.NewServeMux()
	var mu sync.Mutex
	body := strings.Repeat("0123456789abcdef", 280) // 4.5 KB, as DESIGN's figures
	mux.HandleFunc("/plain", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, body) })
	mux.HandleFunc("/lock", func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		time.Sleep(2 * time.Millisecond)
		io.WriteString(w, "ok")
	})
	server := &http.Server{Addr: os.Getenv("UNPARK_TEST_ADDR"), Handler: mux, ReadHeaderTimeout: time.Second}
	return server.ListenAndServe()
}
