//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
)

// lock takes the file for this process alone, as flock(1) does; an empty name locks
// nothing. A wait that ctx ends goes on behind the scenes and lets go at once.
func lock(ctx context.Context, file string) (unlock func(), err error) {
	if file == "" {
		return func() {}, nil
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, fmt.Errorf("open the lock: %w: name another -lock", err)
	}
	locked := make(chan error, 1)
	go func() {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
		for errors.Is(err, syscall.EINTR) {
			err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
		}
		locked <- err
	}()
	select {
	case err := <-locked:
		if err != nil {
			f.Close()
			return nil, fmt.Errorf("lock %s: %w", file, err)
		}
		return func() { f.Close() }, nil
	case <-ctx.Done():
		go func() { <-locked; f.Close() }()
		return nil, ctx.Err()
	}
}
