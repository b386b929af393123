package agent

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/unpark-go/unpark/internal/fleet/hub"
	"github.com/unpark-go/unpark/internal/fleet/wire"
)

// handIn stores what was made in the object store, file by file, and tells the coordinator.
func (j *job) handIn(out outcome) error {
	ctx, cancel := context.WithTimeout(context.Background(), handInWithin)
	defer cancel()
	if j.why != "" && j.coordinatorGone() {
		return errors.New("nothing of it is handed in")
	}
	done := out.Done
	if err := j.store(ctx, out, &done); err != nil {
		done.Err = err.Error()
	}
	text, err := json.Marshal(done)
	if err != nil {
		return fmt.Errorf("write the result: %w", err)
	}
	for {
		asked, cancel := context.WithTimeout(ctx, 2*time.Second)
		_, err := j.a.nc.RequestWithContext(asked, wire.Of("done", j.task.Run, j.a.o.Name), text)
		cancel()
		if err == nil {
			return nil
		}
		if j.coordinatorGone() {
			return fmt.Errorf("hand in the result: the coordinator is gone: %w", err)
		}
		if !sleepUntil(ctx, time.Now().Add(wire.Beat)) {
			return fmt.Errorf("hand in the result: %w", err)
		}
	}
}

func (j *job) coordinatorGone() bool {
	return time.Duration(j.a.clock.Now()-j.heard.Load()) > wire.Lease
}

func (j *job) store(ctx context.Context, out outcome, done *wire.Done) error {
	if out.record == nil && out.seen == nil {
		return nil
	}
	put := func(name string, open func() io.ReadCloser) (string, error) {
		key := j.task.Run + "/" + j.a.o.Name + "/" + name
		if err := hub.Put(ctx, j.a.nc, key, open); err != nil {
			return "", fmt.Errorf("hand in %s: %w", name, err)
		}
		return key, nil
	}
	whole := func(b []byte) func() io.ReadCloser {
		return func() io.ReadCloser { return io.NopCloser(bytes.NewReader(b)) }
	}
	if out.record != nil {
		var b bytes.Buffer // a few megabytes for an hour
		err := out.record.Write(&b)
		if err == nil {
			done.Record, err = put("record.json", whole(b.Bytes()))
		}
		if err != nil {
			return err
		}
	}
	if out.seen == nil {
		return nil
	}
	text, err := json.Marshal(out.seen.window)
	if err != nil {
		return fmt.Errorf("write the window: %w", err)
	}
	if done.Window, err = put("window.json", whole(text)); err != nil {
		return err
	}
	done.Warnings = append(done.Warnings, out.seen.warnings...)
	// Thousands of small files are one object: each takes a few milliseconds at both ends, whatever its size.
	done.Files, err = put("files.tar", func() io.ReadCloser {
		in, to := io.Pipe()
		go func() { to.CloseWithError(j.capture.pack(to)) }() // closing in ends what is still written
		return in
	})
	return err
}

// pack writes the files of the capture as a tar, by their names in the run directory.
func (c *capture) pack(w io.Writer) error {
	out := tar.NewWriter(w)
	for _, name := range c.files {
		if err := c.packOne(out, name); err != nil {
			return fmt.Errorf("hand in %s: %w", name, err)
		}
	}
	return out.Close()
}

func (c *capture) packOne(out *tar.Writer, name string) error {
	f, err := os.Open(filepath.Join(c.dir, filepath.FromSlash(name)))
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if err := out.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: info.Size()}); err != nil {
		return err
	}
	_, err = io.CopyN(out, f, info.Size())
	return err
}
