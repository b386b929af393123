package window

import (
	"sync"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/target"
)

// pace is how often the target's processes are looked at: often enough to see a
// worker that is born and dies inside a window, rare enough to cost nothing.
const pace = 250 * time.Millisecond

// watch follows the target's processes and their usage.
type watch struct {
	list func() ([]target.Process, error)
	done chan struct{}
	once sync.Once
	wait sync.WaitGroup

	mu      sync.Mutex
	seen    map[int]*life
	order   []int
	samples []sample
}

// life is what is known of one process.
type life struct {
	process     target.Process
	first, last time.Time
	usage       target.Usage // the latest
	gone        bool
}

// sample is the CPU that all processes had used at an instant, in seconds.
type sample struct {
	at  time.Time
	cpu float64
}

func startWatch(list func() ([]target.Process, error), endpoints []*Endpoint) *watch {
	if list == nil {
		list = func() ([]target.Process, error) {
			var ps []target.Process
			for _, e := range endpoints {
				if e.PID != 0 {
					ps = append(ps, target.Process{PID: e.PID})
				}
			}
			return ps, nil
		}
	}
	w := &watch{list: list, done: make(chan struct{}), seen: map[int]*life{}}
	w.look()
	w.wait.Add(1)
	go w.loop()
	return w
}

func (w *watch) loop() {
	defer w.wait.Done()
	tick := time.NewTicker(pace)
	defer tick.Stop()
	for {
		select {
		case <-w.done:
			return
		case <-tick.C:
			w.look()
		}
	}
}

// look reads every process once.
func (w *watch) look() {
	ps, err := w.list()
	if err != nil {
		return // the next look may succeed; a target that is gone shows as died
	}
	now := time.Now()
	w.mu.Lock()
	defer w.mu.Unlock()
	alive := map[int]bool{}
	for _, p := range ps {
		usage, err := target.ReadUsage(p.PID)
		if err != nil {
			continue
		}
		alive[p.PID] = true
		l := w.seen[p.PID]
		if l == nil {
			l = &life{process: p, first: now}
			w.seen[p.PID] = l
			w.order = append(w.order, p.PID)
		}
		l.last, l.usage, l.gone = now, usage, false
		if p.Socket != "" {
			l.process.Socket = p.Socket
		}
	}
	total := 0.0
	for pid, l := range w.seen {
		l.gone = l.gone || !alive[pid]
		total += l.usage.CPU
	}
	w.samples = append(w.samples, sample{now, total})
}

// state copies what is known now, by process in order of appearance.
func (w *watch) state() (order []int, lives map[int]life) {
	w.look()
	w.mu.Lock()
	defer w.mu.Unlock()
	lives = make(map[int]life, len(w.seen))
	for pid, l := range w.seen {
		lives[pid] = *l
	}
	return append([]int(nil), w.order...), lives
}

// cores returns the mean cores used by the target in the second that ends at at.
func (w *watch) cores(at time.Time) unpark.Number {
	w.mu.Lock()
	defer w.mu.Unlock()
	var first, last *sample
	for i := range w.samples {
		s := &w.samples[i]
		if s.at.After(at.Add(-time.Second-pace)) && first == nil {
			first = s
		}
		if !s.at.After(at) {
			last = s
		}
	}
	if first == nil || last == nil || last.at.Sub(first.at) < pace {
		return unpark.Number{}
	}
	return unpark.Num((last.cpu - first.cpu) / last.at.Sub(first.at).Seconds())
}

func (w *watch) stop() {
	w.once.Do(func() { close(w.done) })
	w.wait.Wait()
}
