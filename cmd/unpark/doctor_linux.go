package main

import (
	"golang.org/x/sys/unix"

	"github.com/unpark-go/unpark"
)

// writable reports whether this process may write to a file or folder: also root may
// not where the file system is mounted read-only.
func writable(name string) bool { return unix.Access(name, unix.W_OK) == nil }

// freeBytes returns what this user may still write below a folder.
func freeBytes(dir string) unpark.Number {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return unpark.Number{}
	}
	return unpark.Num(float64(s.Bavail) * float64(s.Bsize))
}
