package load

import (
	"context"
	"runtime"
	"slices"
	"time"
)

const (
	firstBackoff = 10 * time.Millisecond
	lastBackoff  = time.Second
)

// exchanger is one connection to the target, and the seam to other engines.
type exchanger interface {
	// exchange sends a request of the kind with that index and reads the whole
	// answer. It opens the connection when there is none. hash asks for the
	// outcome's sum.
	exchange(kind int, hash bool) outcome
	// close drops the connection; exchange is not called again.
	close()
}

// outcome is what an exchange did.
type outcome struct {
	status  int    // 0: there was no whole answer
	bytes   int64  // of the body
	sum     uint64 // of the body, when it was asked for
	err     string // the kind of error; empty when there was an answer
	detail  error  // the error itself
	dial    int64  // time taken to open a connection, 0 when one was reused
	written int64  // just before the request went to the kernel; 0: it never did
	done    int64  // the whole answer was read, or the error seen
}

// worker drives one connection from a goroutine of its own.
type worker struct {
	connection
	clock *clock
	inbox chan arrival // from the schedule; capacity 1
	g     *Generator
	from  source
	link  exchanger
	// number tells the link which request comes next; nil when none differs.
	number func(serial, sent int64)
}

// run sends until the source ends or ctx is done.
func (w *worker) run(ctx context.Context) {
	defer w.link.close()
	for {
		w.count++
		a, ok := w.from.take(w)
		if !ok {
			w.current.Store(never)
			return
		}
		s := sample{arrival: a, freed: w.freed}
		kind := w.g.settings.choice.of(a.index)
		// It begins when it is due and its connection free: no clock is read for it.
		hash := w.g.repeats.wants(&w.connection, kind, max(a.intended, w.freed))
		if w.number != nil {
			w.number(w.g.serial(a), w.g.wall(a.intended))
		}
		s.outcome = w.link.exchange(kind, hash)
		if s.outcome.err != "" && ctx.Err() != nil {
			return // stopped in the middle: unfinished, no error
		}
		w.g.judge(&w.connection, &s, kind, hash)
		w.g.record(&w.connection, &s)
		if s.status == 0 && !w.pause(ctx, w.backoff()) || w.g.settings.think > 0 && !w.pause(ctx, w.g.settings.think) {
			return
		}
	}
}

// pause waits after an answer (think time) or a failed connection. The wait is no
// time in which the connection was free.
func (w *worker) pause(ctx context.Context, wait int64) bool {
	if w.g.settings.pacer == nil {
		w.current.Store(w.freed + wait) // its next request is not intended earlier
	}
	t := time.NewTimer(time.Duration(w.freed + wait - w.clock.now()))
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
		w.current.Store(never)
		return false
	}
	// A timer that is late is the generator's fault, which a backoff hides: nobody
	// promised to try again at an exact instant.
	if w.freed += wait; w.failures > 0 {
		w.freed = w.clock.now()
	}
	if w.g.settings.pacer == nil {
		w.current.Store(w.freed)
	}
	return true
}

// crew is the engine of one goroutine for each connection: for TLS, plans with
// several hosts, and systems without epoll.
type crew struct {
	g       *Generator
	ctx     context.Context //nolint:containedctx // that of the load
	from    source
	workers []*worker
	all     []*connection
}

var _ engine = (*crew)(nil)

func newCrew(ctx context.Context, g *Generator) (*crew, error) {
	c := &crew{g: g, ctx: ctx, from: &loop{clock: g.clock}}
	n := g.settings.connections
	if g.settings.pacer != nil {
		s, err := newSchedule(g.clock, g.settings.pacer, n)
		if err != nil {
			return nil, err
		}
		c.from = s
	}
	shards := g.newShards(min(n, 2*runtime.GOMAXPROCS(0), maxShards))
	for i := range n {
		w := &worker{
			connection: connection{id: i, index: i % len(shards), shard: shards[i%len(shards)]},
			g:          g, clock: g.clock, from: c.from, inbox: make(chan arrival, 1),
		}
		if err := w.connect(ctx); err != nil {
			return nil, err
		}
		if g.settings.pacer != nil {
			w.current.Store(never)
		}
		c.workers, c.all = append(c.workers, w), append(c.all, &w.connection)
	}
	return c, nil
}

// connect chooses the link by protocol.
func (w *worker) connect(ctx context.Context) (err error) {
	g := w.g
	varies := slices.ContainsFunc(g.settings.kinds, func(k kind) bool { return k.numbered() })
	var link interface {
		exchanger
		number(serial, sent int64)
	}
	if g.settings.protocol == protoHTTP1 {
		link, err = newConnLink(ctx, g.settings, g.clock, g.repeats.seed)
	} else {
		link, err = newH2Link(ctx, g.settings, g.clock, g.repeats.seed)
	}
	if err != nil {
		return err
	}
	if w.link = link; varies {
		w.number = link.number
	}
	return nil
}

func (c *crew) connections() []*connection { return c.all }

func (c *crew) mark() (now int64, heads []head) {
	now, index, due := c.from.mark()
	return now, []head{{index, due}}
}

func (c *crew) start() time.Time {
	if s, ok := c.from.(*schedule); ok {
		go s.run()
	}
	for _, w := range c.workers {
		c.g.running.Go(func() { w.run(c.ctx) })
	}
	return time.Now()
}

func (c *crew) close() { c.from.close() }

func (c *crew) drop() {
	if s, ok := c.from.(*schedule); ok {
		s.sleeper.close() // nothing runs yet that close would wait for
	}
}
