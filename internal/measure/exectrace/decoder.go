package exectrace

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"golang.org/x/exp/trace"
)

const (
	readAhead = 64 << 10
	batchSize = 512
)

// decoder decodes a trace into batches of events, beside what takes them.
type decoder struct {
	in    *counter
	ahead *bufio.Reader
	r     *trace.Reader
	batch batch // that is being filled
	full  chan batch
	empty chan []trace.Event
	stop  chan struct{}
}

// batch is some events in a row. Used is, when the first is a Sync, the number of
// bytes up to the end of its generation.
type batch struct {
	events []trace.Event
	used   int64
	err    error // why there are no more; nil at the end of the trace
}

// open reads the head of a trace.
func open(src io.Reader) (d *decoder, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", errEmpty, p)
		}
	}()
	in := &counter{r: src}
	d = &decoder{
		in: in, ahead: bufio.NewReaderSize(in, readAhead), // trace.NewReader adds no buffer of its own
		full: make(chan batch, 2), empty: make(chan []trace.Event, 3), stop: make(chan struct{}),
	}
	d.r, err = trace.NewReader(d.ahead)
	if err != nil {
		return nil, fmt.Errorf("%w: %w: it must be what runtime/trace or /debug/pprof/trace wrote, with Go 1.21 to 1.27", errEmpty, err)
	}
	for range cap(d.empty) {
		d.empty <- make([]trace.Event, 0, batchSize)
	}
	return d, nil
}

// run reads events into batches until there are no more, and closes full. A batch
// begins with each generation, whose first event is a Sync.
func (d *decoder) run() {
	defer close(d.full)
	defer func() {
		// The decoder is hardened against bad input, not proven.
		if p := recover(); p != nil {
			d.batch.err = fmt.Errorf("the trace is malformed: %v", p)
			d.send()
		}
	}()
	for more := d.next(); more; {
		ev, err := d.r.ReadEvent()
		if err != nil {
			if !errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				d.batch.err = err
			}
			d.send()
			return
		}
		if len(d.batch.events) == batchSize || ev.Kind() == trace.EventSync && len(d.batch.events) > 0 {
			if more = d.send() && d.next(); !more {
				return
			}
		}
		if ev.Kind() == trace.EventSync {
			d.batch.used = d.in.n - int64(d.ahead.Buffered())
		}
		d.batch.events = append(d.batch.events, ev)
	}
}

// send hands the batch on, next begins another. They report whether more are wanted.
func (d *decoder) send() bool {
	select {
	case d.full <- d.batch:
		return true
	case <-d.stop:
		return false
	}
}

func (d *decoder) next() bool {
	select {
	case events := <-d.empty:
		d.batch = batch{events: events}
		return true
	case <-d.stop:
		return false
	}
}

// close ends the decoding. After it the input is not read any more.
func (d *decoder) close() {
	close(d.stop)
	for range d.full { // until run has ended
	}
}

// counter counts the bytes that were read.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}
