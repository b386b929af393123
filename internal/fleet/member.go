package fleet

import (
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/unpark-go/unpark/internal/fleet/wire"
)

// member is an agent within a session.
type member struct {
	agent   Agent
	task    wire.Task
	pids    []int
	numbers map[int]int

	mu     sync.Mutex
	until  time.Time // when its last phase is over
	heard  time.Time
	silent time.Duration // the longest time that it said nothing until then
	sign   wire.Sign
	done   *wire.Done
	came   chan struct{} // closed with done
}

// listen hears the agents' signs of life and results.
func (s *Session) listen() error {
	for _, m := range s.members {
		name := m.agent.Name
		beat, err := s.f.nc.Subscribe(wire.Of("beat", s.run, name), func(msg *nats.Msg) { m.beat(msg.Data) })
		if err != nil {
			return fmt.Errorf("listen to agent %s: %w", name, err)
		}
		done, err := s.f.nc.Subscribe(wire.Of("done", s.run, name), func(msg *nats.Msg) {
			m.finished(msg.Data)
			_ = msg.Respond(nil) // it asks again when it has no answer
		})
		if err != nil {
			return fmt.Errorf("listen to agent %s: %w", name, err)
		}
		s.subs = append(s.subs, beat, done)
	}
	return nil
}

func (m *member) beat(text []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.hear()
	_ = json.Unmarshal(text, &m.sign) // a sign of life, whatever it says
}

// hear notes that the agent is there, and how long that was not known; the lock is held.
// Afterwards artifacts may be in the way of what it says.
func (m *member) hear() {
	now := time.Now()
	if m.heard.Before(m.until) {
		m.silent = max(m.silent, now.Sub(m.heard))
	}
	m.heard = now
}

func (m *member) finished(text []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.done != nil {
		return
	}
	var d wire.Done
	if err := json.Unmarshal(text, &d); err != nil {
		d = wire.Done{Err: "what it handed in cannot be read"}
	}
	m.hear()
	m.done = &d
	close(m.came)
}
