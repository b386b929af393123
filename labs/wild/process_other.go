//go:build !unix

package main

import "os/exec"

func apart(*exec.Cmd) {}

// end makes a command end: there are no groups, and no polite way.
func end(c *exec.Cmd, _ bool) error { return c.Process.Kill() }
