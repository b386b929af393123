package client

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/unpark-go/unpark/labs/broker/api"
	"github.com/unpark-go/unpark/labs/broker/task"
)

// Ledger counts, over many workers, what a broker acknowledged and what became of
// it. The zero value is ready.
type Ledger struct {
	mu        sync.Mutex
	created   map[string]string // id by key
	delivered map[string]int    // deliveries by key
	completed map[string]bool
	errors    []error
}

// Account is what a ledger comes to.
type Account struct {
	Created    int      `json:"created"`    // acknowledged
	Completed  int      `json:"completed"`  // acknowledged
	Deliveries int      `json:"deliveries"` // at least one for each task that was completed
	Repeated   int      `json:"repeated"`   // deliveries beyond the first
	Missing    []string `json:"missing"`    // keys that were acknowledged and never completed
	Errors     []string `json:"errors"`
}

// Cycle creates a task with a key of its own, claims whatever task comes and
// completes it. It returns whether one was completed.
func (l *Ledger) Cycle(ctx context.Context, c *Client, key string, lease time.Duration) bool {
	id, err := c.Create(ctx, key, []byte(key))
	if !l.note(err) {
		return false
	}
	l.mu.Lock()
	if l.created == nil {
		l.created = map[string]string{}
	}
	l.created[key] = id
	l.mu.Unlock()
	return l.Work(ctx, c, lease)
}

// Work claims a task and completes it; false when there was none.
func (l *Ledger) Work(ctx context.Context, c *Client, lease time.Duration) bool {
	d, ok, err := c.Claim(ctx, "ledger", lease)
	if !l.note(err) || !ok {
		return false
	}
	l.deliver(d)
	err = c.Complete(ctx, d)
	if errors.Is(err, task.ErrLeaseLost) {
		return false // it came too late, and comes again to somebody
	}
	if !l.note(err) {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.completed == nil {
		l.completed = map[string]bool{}
	}
	l.completed[string(d.Payload)] = true
	return true
}

func (l *Ledger) deliver(d api.Delivery) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.delivered == nil {
		l.delivered = map[string]int{}
	}
	l.delivered[string(d.Payload)]++
}

// note keeps an error, unless the caller ended the call itself.
func (l *Ledger) note(err error) bool {
	if err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
		l.mu.Lock()
		l.errors = append(l.errors, err)
		l.mu.Unlock()
	}
	return err == nil
}

// Drain works until every acknowledged task is completed or ctx ends.
func (l *Ledger) Drain(ctx context.Context, c *Client, lease time.Duration) {
	for ctx.Err() == nil && len(l.Account().Missing) > 0 {
		for l.Work(ctx, c, lease) {
		}
		_ = sleep(ctx, 10*pause) // until leases end
	}
}

// Account reads the ledger.
func (l *Ledger) Account() Account {
	l.mu.Lock()
	defer l.mu.Unlock()
	a := Account{Created: len(l.created), Completed: len(l.completed)}
	for _, n := range l.delivered {
		a.Deliveries += n
		a.Repeated += n - 1
	}
	for key, id := range l.created {
		if !l.completed[key] {
			a.Missing = append(a.Missing, fmt.Sprintf("%s (task %s)", key, id))
		}
	}
	for _, err := range l.errors {
		a.Errors = append(a.Errors, err.Error())
	}
	return a
}
