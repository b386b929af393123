package investigate

import (
	"sync"
	"time"

	"github.com/unpark-go/unpark/internal/measure/target/rusage"
)

// live reports progress four times a second while a phase lasts.
type live struct {
	d    *driver
	done chan struct{}
	once sync.Once
	wait sync.WaitGroup

	mu    sync.Mutex
	name  string
	until time.Time
	used  usage
}

// usage tells what processes used in the last second.
type usage struct {
	at    time.Time
	cpu   float64 // seconds, of all processes together
	value float64 // cores
}

func (u *usage) cores(pids []int) float64 {
	now := time.Now()
	if len(pids) == 0 || now.Sub(u.at) < screenPace {
		return u.value
	}
	sum := 0.0
	for _, pid := range pids {
		p, err := rusage.ReadProcess(pid)
		if err != nil {
			return u.value // it ended, or cannot be read
		}
		sum += p.CPU
	}
	if !u.at.IsZero() {
		u.value = max(0, sum-u.cpu) / now.Sub(u.at).Seconds()
	}
	u.at, u.cpu = now, sum
	return u.value
}

func (d *driver) live() *live {
	l := &live{d: d, done: make(chan struct{})}
	if d.rec.progress == nil {
		return l
	}
	l.wait.Add(1)
	go l.loop()
	return l
}

func (l *live) phase(name string, length time.Duration) {
	l.mu.Lock()
	l.name, l.until = name, time.Now().Add(length)
	l.mu.Unlock()
	l.tell()
}

func (l *live) loop() {
	defer l.wait.Done()
	tick := time.NewTicker(250 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-l.done:
			return
		case <-tick.C:
			l.tell()
		}
	}
}

func (l *live) tell() {
	l.mu.Lock()
	defer l.mu.Unlock() // also keeps the callers of Progress apart
	if l.name == "" {
		return
	}
	e := Event{Phase: l.name, Left: max(0, time.Until(l.until))}
	if g := l.d.generator; g != nil {
		now := g.Live()
		e.Live = &now
	} else {
		e.Cores = l.used.cores(l.d.service.local)
	}
	l.d.rec.tell(e)
}

func (l *live) stop() {
	l.once.Do(func() { close(l.done) })
	l.wait.Wait()
}
