package window

import (
	"slices"
	"sync"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/target"
	"github.com/unpark-go/unpark/internal/measure/target/rusage"
)

// pace is how often the target's processes are looked at: often enough to see a
// worker that is born and dies inside a window, rare enough to cost nothing.
const pace = 250 * time.Millisecond

// watch follows the target's processes and their usage.
type watch struct {
	list func() ([]target.Process, error)
	read func(pid int) (rusage.Process, error)
	// pinned holds what has a number to the process that had it first: the processes
	// are those behind endpoints, and a later one with the number is a stranger.
	pinned bool
	// partial tells that there are processes of the target that are not seen here.
	partial bool
	done    chan struct{}
	once    sync.Once
	wait    sync.WaitGroup

	mu      sync.Mutex
	seen    map[identity]*life
	order   []identity
	samples []sample
}

// identity tells a process from a later one with the same number.
type identity struct {
	pid   int
	start uint64 // 1/100 s since boot
}

// life is what is known of one process.
type life struct {
	process     target.Process
	first, last time.Time
	usage       rusage.Process // the latest
	gone        bool
}

// sample is the CPU that all processes had used at an instant, in seconds.
type sample struct {
	at  time.Time
	cpu float64
}

func startWatch(list func() ([]target.Process, error), endpoints []*Endpoint) *watch {
	w := newWatch(list, endpoints)
	w.look()
	w.wait.Add(1)
	go w.loop()
	return w
}

func newWatch(list func() ([]target.Process, error), endpoints []*Endpoint) *watch {
	w := &watch{list: list, read: rusage.ReadProcess, done: make(chan struct{}), seen: map[identity]*life{}}
	var local []target.Process
	for _, e := range endpoints {
		if e.Local > 0 {
			local = append(local, target.Process{PID: e.Local})
		} else if list == nil || e.Machine != "" {
			w.partial = true
		}
	}
	if list == nil {
		w.pinned = true
		w.list = func() ([]target.Process, error) { return local, nil }
	}
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
	alive := map[identity]bool{}
	for _, p := range ps {
		usage, err := w.read(p.PID)
		if err != nil {
			continue
		}
		id := identity{p.PID, usage.StartTicks}
		l := w.seen[id]
		if l == nil {
			if w.pinned && w.had(p.PID) {
				continue
			}
			l = &life{process: p, first: now}
			w.seen[id] = l
			w.order = append(w.order, id)
		}
		alive[id] = true
		l.last, l.usage, l.gone = now, usage, false
		if p.Socket != "" {
			l.process.Socket = p.Socket
		}
	}
	total := 0.0
	for id, l := range w.seen {
		l.gone = l.gone || !alive[id]
		total += l.usage.CPU
	}
	w.samples = append(w.samples, sample{now, total})
}

// had reports whether a process had this number before.
func (w *watch) had(pid int) bool {
	return slices.ContainsFunc(w.order, func(id identity) bool { return id.pid == pid })
}

// state copies what is known now, by process in order of appearance.
func (w *watch) state() (order []identity, lives map[identity]life) {
	w.look()
	w.mu.Lock()
	defer w.mu.Unlock()
	lives = make(map[identity]life, len(w.seen))
	for id, l := range w.seen {
		lives[id] = *l
	}
	return slices.Clone(w.order), lives
}

// cores returns the mean cores used by the target in the second that ends at at;
// unknown where some of its processes are not seen.
func (w *watch) cores(at time.Time) unpark.Number {
	if w.partial {
		return unpark.Number{}
	}
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
