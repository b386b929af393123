package main

import (
	"sort"
	"sync"
	"time"

	"github.com/unpark-go/unpark/labs/score/twin"
)

// meter reads the CPU of a service all the time.
type meter struct {
	service    *twin.Service
	stop, done chan struct{}

	mu    sync.Mutex
	times []time.Time
	cpu   []float64 // s
}

// often is how far the times lie apart between which the CPU is taken to be used evenly.
const often = 25 * time.Millisecond

func newMeter(s *twin.Service) *meter {
	m := &meter{service: s, stop: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(m.done)
		tick := time.NewTicker(often)
		defer tick.Stop()
		for {
			select {
			case <-m.stop:
				return
			case <-tick.C:
				_ = m.look() // a service that is gone shows at the end of a window
			}
		}
	}()
	return m
}

func (m *meter) end() {
	close(m.stop)
	<-m.done
}

func (m *meter) look() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	before := time.Now()
	cpu, err := m.service.CPU()
	if err != nil {
		return err
	}
	m.times, m.cpu = append(m.times, before.Add(time.Since(before)/2)), append(m.cpu, cpu)
	return nil
}

// at is the CPU that the service had used at a time, in s: between two readings as if it were used evenly.
func (m *meter) at(t time.Time) float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	i := sort.Search(len(m.times), func(i int) bool { return m.times[i].After(t) })
	switch i {
	case 0:
		return m.cpu[0]
	case len(m.times):
		return m.cpu[i-1]
	}
	part := t.Sub(m.times[i-1]).Seconds() / m.times[i].Sub(m.times[i-1]).Seconds()
	return m.cpu[i-1] + part*(m.cpu[i]-m.cpu[i-1])
}
