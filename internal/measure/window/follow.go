package window

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// longestLine bounds one line of the vitals, in bytes: 512 buckets have 30 kB.
const longestLine = 1 << 20

// Follow asks the probe for its vitals, a line a second, and hands each to line until ctx
// ends, the process does, or ttl has passed, which is no error. A line that does not come
// for longer than silence ends it with one.
func (e *Endpoint) Follow(ctx context.Context, ttl, silence time.Duration, line func([]byte) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	resp, err := e.openWithin(ctx, fmt.Sprintf("%s/debug/unpark/vitals?ttl=%d", e.root, int(ttl.Seconds())), patience)
	if err != nil {
		return fmt.Errorf("follow the vitals of %s: %w", e.Address, err)
	}
	defer resp.Body.Close()
	late := time.AfterFunc(silence, func() { cancel(fmt.Errorf("no line within %v", silence)) })
	defer late.Stop()
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, longestLine)
	for first := true; lines.Scan(); first = false {
		late.Reset(silence)
		if first {
			continue // it says that they are followed
		}
		if err := line(lines.Bytes()); err != nil {
			return fmt.Errorf("follow the vitals of %s: %w", e.Address, err)
		}
	}
	err = lines.Err()
	if why := context.Cause(ctx); why != nil && !errors.Is(err, bufio.ErrTooLong) {
		err = why
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("follow the vitals of %s: %w", e.Address, err)
	}
	return nil
}
