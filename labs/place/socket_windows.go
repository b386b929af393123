package main

import "syscall"

// descriptor is what system calls take for a socket.
type descriptor = syscall.Handle
