package exectrace

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/exp/trace"
)

const defaultKeep = 4096

// errEmpty says that a file holds no execution trace, or one without an event.
var errEmpty = errors.New("no execution trace")

// Read reads a trace to its end, or to the first thing in it that cannot be read:
// then Broken says what, and the rest is missing. It is an error when nothing can be
// read at all.
func Read(src io.Reader, o Options) (*Trace, error) {
	if o.Keep <= 0 {
		o.Keep = defaultKeep
	}
	d, err := open(src)
	if err != nil {
		return nil, err
	}
	f := newFollower(o)
	part, broken := f.follow(d, o.Events)
	t := f.trace()
	t.Part = part
	t.Broken = broken
	t.Used = d.in.n
	if broken != nil {
		t.Used = f.used
	}
	if _, err := io.Copy(io.Discard, d.in); err != nil && broken == nil {
		t.Broken = fmt.Errorf("read the trace: %w", err)
	}
	t.Bytes = d.in.n
	if broken != nil {
		// Until Go 1.25 the first batch of the next generation is decoded with one, so
		// that a cut in it would not show.
		t.Used = min(t.Used, t.Bytes-1)
	}
	if !f.told {
		if broken == nil {
			broken = errors.New("it has no events")
		}
		return nil, fmt.Errorf("%w: %w: capture it again, for a second or more", errEmpty, broken)
	}
	return t, nil
}

// follow hands every event on while the next ones are being decoded, at most about so many; 0: all. It returns
// whether there are more, and what made it stop before the end.
func (f *follower) follow(d *decoder, most int64) (part bool, err error) {
	go d.run()
	defer d.close()
	for b := range d.full {
		if err := f.handle(b); err != nil {
			return false, err
		}
		if b.err != nil {
			return false, fmt.Errorf("after %.3f s of the trace: %w", f.seconds(), brief(b.err))
		}
		if most > 0 && f.events >= most {
			next, more := <-d.full
			return more && len(next.events) > 0, nil
		}
		d.empty <- b.events[:0]
	}
	return false, nil
}

// handle follows the events of a batch.
func (f *follower) handle(b batch) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the trace is malformed: %v", p)
		}
	}()
	for i := range b.events {
		ev := &b.events[i]
		if ev.Kind() == trace.EventSync {
			f.stacks.generation()
			// A generation is decoded before its first event is told, and one more of
			// these events follows the last of them, whether the next can be read or not.
			f.used, f.ahead = f.ahead, b.used
		} else {
			f.told = true
		}
		f.event(ev)
	}
	return nil
}

// brief cuts an error to its first line: the decoder appends the state of every
// goroutine, in no order.
func brief(err error) error {
	line, _, more := strings.Cut(err.Error(), "\n")
	if !more {
		return err
	}
	return errors.New(strings.TrimSuffix(line, ":"))
}
