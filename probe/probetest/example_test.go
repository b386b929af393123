package probetest_test

import (
	"sync"
	"testing"
	"time"

	"github.com/unpark-go/unpark/probe/probetest"
)

// prices is what is under test: its lock is held while the store is asked.
type prices struct {
	mu    sync.Mutex
	known map[int]int
}

func (p *prices) get(id int) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	time.Sleep(time.Millisecond) // the store
	p.known[id] = 100 + id
	return p.known[id]
}

// In a test file of yours the function literal is func TestPricesUnderLoad(t *testing.T).
// `go test -run TestPricesUnderLoad -v -count=1 .` takes about 17 s and logs the
// command that reads what was captured: unpark diagnose …/testdata/unpark/prices-001.
func Example() {
	testPricesUnderLoad := func(t *testing.T) {
		p := &prices{known: map[int]int{}}
		probetest.Run(t, "prices", probetest.Options{Workers: 64}, func(worker int) {
			p.get(worker)
		})
	}
	_ = testPricesUnderLoad // go test calls it
}
