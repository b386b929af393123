package window

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/unpark-go/unpark"
)

// Rates are the sampling rates that a window asks for.
type Rates struct {
	Block time.Duration // events at least this long are always recorded, shorter ones in proportion; 0 leaves it off
	Mutex int           // one in so many contentions; 0 leaves it off

	standing bool // for hours: requests are not marked meanwhile
}

// DefaultRates is where a window starts: inside the noise of this kind of
// service (DESIGN §5: block 1 ms and mutex fraction 1 cost nothing measurable on
// 70k req/s, block 10 µs cost 6 % on a channel-heavy broker).
func DefaultRates() Rates { return Rates{Block: time.Millisecond, Mutex: 1} }

// lease is a grant of sampling rates. The probe takes the rates back when the
// connection behind it ends, so that a killed unpark leaves nothing behind.
type lease struct {
	Granted bool          `json:"granted"`
	Block   unpark.Number `json:"block_ns"`
	Mutex   unpark.Number `json:"mutex_fraction"`
	Memory  unpark.Number `json:"memory_rate"` // one in so many allocated bytes; of processes that are read from outside alone
	Notes   []string      `json:"notes"`
	ID      string        `json:"id"` // to renew it with; empty with an older probe
	// Writes is what was written into a process that is read from outside, Number that of the lease with its reader.
	Writes []unpark.Write `json:"writes"`
	Number int            `json:"lease"`

	of *Endpoint // of a standing one

	*held
}

const (
	// longestLease is what a probe grants at most (probe/agent).
	longestLease = 24 * time.Hour
	// renewedFor is the term of a lease that can be renewed: for so long at most the
	// rates stay when this process is stopped, and its connections with it.
	renewedFor   = 10 * time.Minute
	renewedEvery = renewedFor / 4
)

// lease asks the probe for rates and holds them until end is called, for ttl at most
// where the probe cannot renew.
func (e *Endpoint) lease(parent context.Context, r Rates, ttl time.Duration) (*lease, error) {
	l := &lease{}
	query := fmt.Sprintf("lease?block=%d&mutex=%d&ttl=%d", r.Block.Nanoseconds(), r.Mutex, int(min(ttl+time.Second, longestLease).Seconds()))
	if r.standing {
		query += "&standing=1"
	}
	h, err := e.hold(parent, query, l)
	if err != nil {
		return nil, fmt.Errorf("lease sampling rates at %s: %w", e.Address, err)
	}
	l.held = h
	if l.ID != "" {
		go func() {
			tick := time.NewTicker(renewedEvery)
			defer tick.Stop()
			e.keep(h.ctx, l.ID, tick.C)
		}()
	}
	return l, nil
}

// written is all that was written into a process that is read from outside: rates change while they are lent, where they
// had it record more than it may. Nothing when that cannot be told; the lease said what was written first.
func written(ctx context.Context, e *Endpoint) (all []unpark.Write) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if b, err := e.get(ctx, e.root+"/debug/unpark/writes", maxGrant); err == nil && json.Unmarshal(b, &all) != nil {
		return nil
	}
	return all
}

// keep renews a lease at once and with each tick, until ctx ends. A renewal that fails
// is tried again with the next tick, of which there are several in a term.
func (e *Endpoint) keep(ctx context.Context, id string, tick <-chan time.Time) {
	page := fmt.Sprintf("%s/debug/unpark/lease/renew?id=%s&ttl=%d", e.root, url.QueryEscape(id), int(renewedFor.Seconds()))
	for {
		asking, cancel := context.WithTimeout(ctx, patience)
		_, _ = e.get(asking, page, 1<<10)
		cancel()
		select {
		case <-tick:
		case <-ctx.Done():
			return
		}
	}
}

// end gives the rates back.
func (l *lease) end() {
	if l != nil && l.held != nil {
		l.held.end()
	}
}

// held is a connection for the length of which the probe keeps something up.
type held struct {
	ctx    context.Context // ends with it
	cancel context.CancelFunc
	body   io.Closer
}

// hold asks one of the probe's own pages, reads the first line of the answer into
// first, and leaves the connection open until end is called or parent is done,
// whichever is first.
func (e *Endpoint) hold(parent context.Context, page string, first any) (*held, error) {
	// The connection must outlive parent's own deadline checks.
	ctx, cancel := context.WithCancel(parent)
	resp, err := e.openWithin(ctx, e.root+"/debug/unpark/"+page, patience)
	if err != nil {
		cancel()
		return nil, err
	}
	late := time.AfterFunc(patience, cancel)
	err = firstLine(resp.Body, first)
	if !late.Stop() {
		err = fmt.Errorf("no whole line within %v", patience)
	}
	if err != nil {
		cancel()
		resp.Body.Close()
		return nil, err
	}
	return &held{ctx: ctx, cancel: cancel, body: resp.Body}, nil
}

// maxGrant bounds the first line of a held answer, in bytes. It has a few rates, and a
// note for each of them.
const maxGrant = 1 << 20

// firstLine decodes the first line of a body that goes on.
func firstLine(body io.Reader, first any) error {
	bounded := &io.LimitedReader{R: body, N: maxGrant}
	line, err := bufio.NewReader(bounded).ReadBytes('\n')
	switch {
	case err != nil && bounded.N == 0:
		return fmt.Errorf("the first line is longer than %d MB: this is not unpark's probe", maxGrant>>20)
	case err != nil:
		return fmt.Errorf("answer cut off: %w", err)
	}
	return json.Unmarshal(line, first)
}

// end closes the connection.
func (h *held) end() {
	h.cancel()
	h.body.Close()
}

// openWithin is open with a bound on the time to the first byte only.
func (e *Endpoint) openWithin(ctx context.Context, address string, d time.Duration) (*http.Response, error) {
	ctx, cancel := context.WithCancel(ctx)
	timer := time.AfterFunc(d, cancel)
	resp, err := e.open(ctx, address)
	if !timer.Stop() && err == nil {
		resp.Body.Close()
		err = fmt.Errorf("no answer within %v", d)
	}
	if err != nil {
		cancel()
		return nil, err
	}
	resp.Body = &cancelled{resp.Body, cancel}
	return resp, nil
}

type cancelled struct {
	io.ReadCloser
	cancel context.CancelFunc
}

func (c *cancelled) Close() error {
	err := c.ReadCloser.Close()
	c.cancel()
	return err
}
