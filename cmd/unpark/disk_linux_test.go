package main

import (
	"os"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"
)

// tinydisk mounts a file system of 64 kB for the length of the script, with a
// second argument "ro" one that cannot be written to.
func tinydisk(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: tinydisk DIR [ro]")
	}
	dir := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(dir, 0o700))
	var flags uintptr
	if len(args) == 2 {
		flags = syscall.MS_RDONLY
	}
	ts.Check(syscall.Mount("tmpfs", dir, "tmpfs", flags, "size=64k"))
	ts.Defer(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
}
