package dump

import (
	"fmt"
	"strings"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/profile"
)

func testCatalogue() *profile.Catalogue { return profile.NewCatalogue("example.com/shop") }

// epoch is when the first dump of a test is taken.
var epoch = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// gor is a goroutine of a synthetic dump. Calls are written as a dump prints them,
// "main.f(0x1) a.go:10", leaf first.
type gor struct {
	id      int
	state   string // with what the runtime appends: "select, 2 minutes"
	by      int    // goroutine that started it
	created string // "main.start a.go:3"; empty for the main goroutine
	calls   []string
}

// dumpOf writes a dump. The goroutine that writes it comes first, as the runtime
// has it.
func dumpOf(all ...gor) []byte {
	var b strings.Builder
	writer := gor{id: 900, state: "running", by: 1, created: "net/http.(*Server).Serve server.go:3464", calls: []string{
		"runtime/pprof.writeGoroutineStacks({0x1, 0x2}) pprof.go:819", "net/http/pprof.Index({0x1, 0x2}, 0x3) pprof.go:397",
		"net/http.(*conn).serve(0x1, {0x2, 0x3}) server.go:2067",
	}}
	for i, g := range append([]gor{writer}, all...) {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "goroutine %d [%s]:\n", g.id, g.state)
		for _, c := range g.calls {
			name, place, _ := cutLast(c)
			fmt.Fprintf(&b, "%s\n\t/src/%s +0x1\n", name, place)
		}
		if g.created != "" {
			name, place, _ := cutLast(g.created)
			fmt.Fprintf(&b, "created by %s in goroutine %d\n\t/src/%s +0x1\n", name, g.by, place)
		}
	}
	return []byte(b.String())
}

func cutLast(s string) (before, after string, ok bool) {
	i := strings.LastIndexByte(s, ' ')
	return s[:max(i, 0)], s[i+1:], i >= 0
}

// Parts of stacks.
func locking(address string, calls ...string) []string {
	return append([]string{
		"internal/sync.runtime_SemacquireMutex(0x1?, 0x0?, 0x2?) sema.go:95", "internal/sync.(*Mutex).lockSlow(" + address + ") mutex.go:149",
		"internal/sync.(*Mutex).Lock(...) mutex.go:70", "sync.(*Mutex).Lock(...) mutex.go:46",
	}, calls...)
}

func handling(request string, calls ...string) []string {
	return append(calls, "net/http.HandlerFunc.ServeHTTP(0x1?, {0x2?, 0x3?}, "+request+") server.go:2286",
		"net/http.serverHandler.ServeHTTP({0x5?}, {0x2?, 0x3?}, "+request+") server.go:3311", "net/http.(*conn).serve(0x6, {0x7, 0x8}) server.go:2067")
}

const (
	serving = "net/http.(*Server).Serve server.go:3464"
	worker  = "example.com/shop.start shop.go:10"
)

var mainGor = gor{id: 1, state: "IO wait", calls: []string{
	"internal/poll.runtime_pollWait(0x1, 0x72) netpoll.go:351", "internal/poll.(*FD).Accept(0x2) fd_unix.go:613", "net.(*TCPListener).Accept(0x3) tcpsock.go:387",
	"net/http.(*Server).Serve(0x4, {0x5, 0x6}) server.go:3434", "main.main() main.go:37",
}}

// watched settles a process of which dumps were taken, gap apart. A collection
// followed the first one when collected is set.
func watched(gap time.Duration, collected bool, dumps ...[]byte) *settled {
	p := newProcess(testCatalogue(), nil)
	for i, text := range dumps {
		if _, err := p.add(epoch.Add(time.Duration(i)*gap), text); err != nil {
			panic(err)
		}
		if i == 0 && collected {
			p.collected = epoch.Add(time.Millisecond)
		}
	}
	return settle(p, 0)
}

// again repeats a dump.
func again(n int, text []byte) [][]byte {
	var out [][]byte
	for range n {
		out = append(out, text)
	}
	return out
}

// motionOf returns what is said of a goroutine, "" when it is not there.
func (s *settled) motionOf(id int64) (unpark.Motion, bool) {
	m := s.byID[id]
	if m == nil {
		return "", false
	}
	return m.motion, m.proven
}
