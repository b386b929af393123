package window

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// recording is one execution trace in a file of the run.
type recording struct {
	name       string // in the run directory
	start, end time.Time
	file       lateFile
	bytes      int64
	full       bool // it was cut off because it is larger than was asked for
	err        error
}

// record copies an execution trace from an address of the endpoint into the
// recording's file, at most limit bytes of it: a trace is too large to be held in
// memory for every process.
//
// When there is more, the connection is closed. That ends the tracing as well,
// because net/http/pprof.Trace and the probe watch the request's context. What
// came until then stays: a reader takes whole generations, of about a second each,
// from the front (internal/trace.Reader).
func (e *Endpoint) record(ctx context.Context, address string, limit int64, r *recording) {
	r.start = time.Now()
	r.err = r.copyTrace(ctx, e, address, limit)
	r.end = time.Now()
}

func (r *recording) copyTrace(ctx context.Context, e *Endpoint, address string, limit int64) error {
	resp, err := e.open(ctx, address)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	in := bufio.NewReader(resp.Body)
	// Every version's header is "go 1.NN trace" and zeros, 16 bytes in all
	// (internal/trace/version.ReadHeader).
	head, err := in.Peek(16)
	if !bytes.Contains(head, []byte(" trace\x00")) {
		if err == nil {
			err = errNotTrace
		}
		return fmt.Errorf("the answer is %s, not an execution trace: %w", describe(head), err)
	}
	r.bytes, err = io.Copy(&r.file, io.LimitReader(in, limit))
	if err == nil && r.bytes == limit {
		_, more := in.Peek(1)
		r.full = more == nil
	}
	return err
}

var errNotTrace = errors.New("name the path under which net/http/pprof is mounted")

// note says what is missing of a recording that can be used.
func (r *recording) note() string {
	size := fmt.Sprintf("%.1f MB", float64(r.bytes)/(1<<20))
	var parts []string
	if r.full {
		parts = append(parts, fmt.Sprintf("cut at %s after %.1f s: it was growing faster than foreseen", size, r.end.Sub(r.start).Seconds()))
	}
	if r.err != nil {
		parts = append(parts, fmt.Sprintf("cut off after %s: %v", size, r.err))
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(append(parts, "its whole generations, of about a second each, can be read"), "; ")
}

// lateFile is a file of the run that is made when there is something to write.
type lateFile struct {
	create func(name string) (io.WriteCloser, error) // nil: what is written is dropped
	name   string
	to     io.WriteCloser
	err    error // of making or writing it
}

func (f *lateFile) Write(b []byte) (int, error) {
	if f.create == nil {
		return len(b), nil
	}
	if f.to == nil {
		if f.to, f.err = f.create(f.name); f.err != nil {
			return 0, f.err
		}
	}
	n, err := f.to.Write(b)
	if err != nil {
		f.err = fmt.Errorf("write %s: %w: free space on the disk, or choose another place with --out", f.name, err)
		return n, f.err
	}
	return n, nil
}

// Close makes the file durable; the first call counts.
func (f *lateFile) Close() error {
	if f.to == nil {
		return f.err
	}
	err := f.to.Close()
	if f.err == nil {
		f.err = err
	}
	f.to = nil
	return f.err
}
