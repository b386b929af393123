//go:build !windows

package main

// descriptor is what system calls take for a socket.
type descriptor = int
