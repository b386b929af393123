package store

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/unpark-go/unpark/labs/broker/task"
)

func kinds() []string { return []string{Mutex, Direct, Coalesce} }

// start opens an engine on a file system.
func start(t *testing.T, kind string, fs vfs.FS, shards int) (*Store, Engine, *Counts) {
	t.Helper()
	s, err := open("db", fs)
	if err != nil {
		t.Fatal(err)
	}
	counts := &Counts{}
	e, err := New(kind, s, shards, counts)
	if err != nil {
		t.Fatal(err)
	}
	return s, e, counts
}

// Every worker's tasks are completed exactly once each, whatever engine commits.
func TestCycles(t *testing.T) {
	const workers, each, shards = 16, 20, 3
	for _, kind := range kinds() {
		t.Run(kind, func(t *testing.T) {
			s, e, counts := start(t, kind, vfs.NewMem(), shards)
			defer s.Close()
			var done sync.Map
			var twice atomic.Int64
			var all sync.WaitGroup
			for w := range workers {
				all.Go(func() {
					for i := range each {
						id, err := cycle(e, w%shards, fmt.Sprintf("%d/%d", w, i))
						if err != nil {
							t.Error(err)
							return
						}
						if _, loaded := done.LoadOrStore(fmt.Sprint(w%shards, "/", id), true); loaded {
							twice.Add(1)
						}
					}
				})
			}
			all.Wait()
			got := counts.Read()
			if got.Cycles != workers*each || got.Operations != 3*workers*each || twice.Load() != 0 {
				t.Errorf("%+v, %d completed twice", got, twice.Load())
			}
			if kind != Coalesce && got.Commits != got.Operations || got.Commits > got.Operations {
				t.Errorf("%d commits of %d operations", got.Commits, got.Operations)
			}
			if n := s.Syncs(); n == 0 {
				t.Error("nothing was synced")
			}
			if err := e.Close(); err != nil {
				t.Error(err)
			}
			if _, err := e.Do(t.Context(), 0, task.Command{Op: task.Create}); !errors.Is(err, ErrClosed) {
				t.Errorf("after Close: %v", err)
			}
		})
	}
}

// cycle creates a task, claims one and completes that.
func cycle(e Engine, shard int, key string) (uint64, error) {
	now := time.Now().UnixNano()
	ctx := context.Background()
	if _, err := e.Do(ctx, shard, task.Command{Op: task.Create, Key: key, Now: now}); err != nil {
		return 0, err
	}
	r, err := e.Do(ctx, shard, task.Command{Op: task.Claim, Lease: time.Hour, Now: now})
	if err != nil || !r.Found {
		return 0, fmt.Errorf("claimed %+v, %w", r, err)
	}
	c := task.Command{Op: task.Complete, ID: r.Task.ID, Attempt: r.Task.Attempt, Now: now}
	r, err = e.Do(ctx, shard, c)
	return r.Task.ID, errors.Join(err, r.Err)
}

// What was acknowledged survives the loss of all that was not synced.
func TestCrash(t *testing.T) {
	for _, kind := range kinds() {
		t.Run(kind, func(t *testing.T) {
			fs := vfs.NewCrashableMem()
			s, e, _ := start(t, kind, fs, 2)
			var acknowledged sync.Map
			var n atomic.Int64
			enough := make(chan struct{})
			stop := make(chan struct{})
			var all sync.WaitGroup
			for w := range 8 {
				all.Go(func() {
					for i := 0; ; i++ {
						select {
						case <-stop:
							return
						default:
						}
						key := fmt.Sprintf("%d/%d", w, i)
						r, err := e.Do(context.Background(), w%2, task.Command{Op: task.Create, Key: key})
						if err != nil {
							t.Error(err)
							return
						}
						acknowledged.Store(key, r.Task.ID)
						if n.Add(1) == 200 {
							close(enough)
						}
					}
				})
			}
			<-enough
			// Taken before the crash: what comes in between may be lost.
			keys := map[string]uint64{}
			acknowledged.Range(func(k, v any) bool { keys[k.(string)] = v.(uint64); return true })
			crashed := fs.CrashClone(vfs.CrashCloneCfg{})
			close(stop)
			all.Wait()
			e.Close()
			s.Close()
			checkKeys(t, kind, crashed, keys)
		})
	}
}

func checkKeys(t *testing.T, kind string, fs vfs.FS, keys map[string]uint64) {
	t.Helper()
	s, e, _ := start(t, kind, fs, 2)
	defer s.Close()
	defer e.Close()
	for key, id := range keys {
		var w int
		fmt.Sscanf(key, "%d/", &w)
		r, err := e.Do(context.Background(), w%2, task.Command{Op: task.Create, Key: key})
		if err != nil || !r.Again || r.Task.ID != id {
			t.Fatalf("task %s (%d) after the crash: %+v, %v", key, id, r, err)
		}
	}
}

// A claim that finds nothing commits nothing.
func TestNothingToClaim(t *testing.T) {
	for _, kind := range kinds() {
		s, e, counts := start(t, kind, vfs.NewMem(), 1)
		r, err := e.Do(t.Context(), 0, task.Command{Op: task.Claim})
		if err != nil || r.Found || counts.Read().Commits != 0 || e.Waiting(0) {
			t.Errorf("%s: %+v, %v, %+v", kind, r, err, counts.Read())
		}
		e.Close()
		s.Close()
	}
}

func TestGroups(t *testing.T) {
	var c Counts
	for _, n := range []int{0, 1, 2, 3, 4, 5, 64, 128, 129, 9999} {
		c.Committed(n)
	}
	got := c.Read()
	if want := [9]uint64{1, 1, 2, 1, 0, 0, 1, 1, 2}; got.Groups != want || got.Commits != 9 {
		t.Errorf("%+v", got)
	}
	if diff := got.Minus(got); diff != (Stats{}) {
		t.Errorf("%+v", diff)
	}
}

func TestUnknownEngine(t *testing.T) {
	s, e, _ := start(t, Mutex, vfs.NewMem(), 1)
	defer s.Close()
	defer e.Close()
	if _, err := New("faith", s, 1, nil); err == nil {
		t.Error("an unknown engine was made")
	}
}
