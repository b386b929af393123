package selfcheck

import (
	"sync"
	"time"

	hdr "github.com/HdrHistogram/hdrhistogram-go"
)

// Stats is what the server knows: how long answers took inside it, from when the
// request was read until just before the answer is written.
type Stats struct {
	N   int64   `json:"n"`
	P50 float64 `json:"p50_s"` // seconds
	P99 float64 `json:"p99_s"` // seconds
}

// book is a schedule that began at start, and the times of the answers.
type book struct {
	service Service
	start   time.Time

	mu    sync.Mutex
	times *hdr.Histogram // ns
}

func newBook(s Service) *book {
	return &book{service: s, start: time.Now(), times: hdr.New(1000, int64(time.Minute), 3)}
}

// enter notes that a request came, and returns for how long its answer is to be
// held.
func (b *book) enter() (came, wait time.Duration) {
	came = time.Since(b.start)
	return came, b.service.release(came) - came
}

// serve takes as long over a request as the schedule says.
func (b *book) serve() {
	came, wait := b.enter()
	if wait > 0 {
		time.Sleep(wait)
	}
	b.leave(came)
}

// leave notes that the answer to the request of that instant is about to leave.
func (b *book) leave(came time.Duration) {
	took := time.Since(b.start) - came
	b.mu.Lock()
	_ = b.times.RecordValue(min(int64(took), int64(time.Minute))) // within its range
	b.mu.Unlock()
}

// take returns what was noted, and forgets it.
func (b *book) take() Stats {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := Stats{
		N: b.times.TotalCount(), P50: float64(b.times.ValueAtQuantile(50)) / 1e9, P99: float64(b.times.ValueAtQuantile(99)) / 1e9,
	}
	b.times.Reset()
	return s
}
