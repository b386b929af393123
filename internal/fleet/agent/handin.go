package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/unpark-go/unpark/internal/fleet/hub"
	"github.com/unpark-go/unpark/internal/fleet/wire"
)

// handIn stores what was made in the object store, file by file, and tells the coordinator.
func (j *job) handIn(out outcome) error {
	ctx, cancel := context.WithTimeout(context.Background(), handInWithin)
	defer cancel()
	if j.why != "" && j.coordinatorGone() {
		return errors.New("it ended early: " + j.why)
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
	js, err := jetstream.New(j.a.nc)
	if err != nil {
		return err
	}
	objects, err := js.ObjectStore(ctx, hub.Artifacts)
	if err != nil {
		return fmt.Errorf("hand in artifacts: %w", err)
	}
	put := func(name string, r io.Reader) (string, uint64, error) {
		key := j.task.Run + "/" + j.a.o.Name + "/" + name
		info, err := objects.Put(ctx, jetstream.ObjectMeta{Name: key}, r)
		if err != nil {
			return "", 0, fmt.Errorf("hand in %s: %w", name, err)
		}
		return key, info.Size, nil
	}
	if out.record != nil {
		var b bytes.Buffer // a few megabytes for an hour
		if err := out.record.Write(&b); err != nil {
			return err
		}
		if done.Record, _, err = put("record.json", &b); err != nil {
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
	if done.Window, _, err = put("window.json", bytes.NewReader(text)); err != nil {
		return err
	}
	done.Warnings = append(done.Warnings, out.seen.warnings...)
	for _, name := range j.capture.files {
		f, err := os.Open(filepath.Join(j.capture.dir, filepath.FromSlash(name)))
		if err != nil {
			return fmt.Errorf("hand in %s: %w", name, err)
		}
		key, size, err := put("files/"+name, f)
		_ = f.Close() // it was read
		if err != nil {
			return err
		}
		done.Objects = append(done.Objects, wire.Object{Key: key, File: name, Size: size})
	}
	return nil
}
