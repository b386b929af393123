package main

import (
	"fmt"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark/internal/measure/inspect/attach"
)

// readerName is the command that reads processes for another unpark; it is not for people.
const readerName = "read-processes"

// newReader serves what it reads until its standard input ends, also by the death of who
// started it.
func newReader() *cobra.Command {
	var dir string
	var o attach.Options
	c := &cobra.Command{
		Use:    readerName + " PID…",
		Short:  "Serve what is read from the memory of processes",
		Hidden: true,
		Args:   cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			pids, err := numbers(args)
			if err != nil {
				return err
			}
			o.PIDs = pids
			return attach.Serve(dir, o, os.Stdin, c.OutOrStdout())
		},
	}
	c.Flags().StringVar(&dir, "dir", "", "folder for the sockets")
	c.Flags().BoolVar(&o.ReadOnly, "read-only", false, "write nothing into the processes")
	c.Flags().Int64Var(&o.MemoryRate, "memory-rate", 0, "record one in so many allocated bytes")
	return c
}

// numbers reads numbers of processes.
func numbers(texts []string) ([]int, error) {
	var out []int
	for _, text := range texts {
		pid, err := strconv.Atoi(text)
		if err != nil || pid <= 0 {
			return nil, usage("%q is no number of a process: see ps -e, or name its program with --pid-of", text)
		}
		out = append(out, pid)
	}
	return out, nil
}

// pidFlags name processes that are read from outside.
type pidFlags struct {
	pids     []string
	names    []string
	readOnly bool
	memory   int64
}

func (p *pidFlags) register(c *cobra.Command) {
	f := c.Flags()
	f.StringArrayVar(&p.pids, "pid", nil, "`number` of a Go process of this machine, which is read from outside: it needs no endpoint; repeatable")
	f.StringArrayVar(&p.names, "pid-of", nil, "`name` of a program, all processes of which are meant; repeatable")
	f.BoolVar(&p.readOnly, "read-only", false, "with --pid: write nothing into the process; waits for locks and channels are then off unless it records them itself")
	f.Int64Var(&p.memory, "memory-rate", 0, "with --pid: record one in so many allocated `bytes`, such as 524288, where the program records none; writes runtime.MemProfileRate")
}

func (p *pidFlags) given() bool { return len(p.pids)+len(p.names) > 0 }

// open starts the reader; nil when no process is named.
func (p *pidFlags) open(c *cobra.Command) (*attach.Attached, error) {
	if !p.given() {
		switch {
		case p.readOnly:
			return nil, usage("--read-only is for a process that is named with --pid or --pid-of")
		case p.memory != 0:
			return nil, usage("--memory-rate is for a process that is named with --pid or --pid-of")
		}
		return nil, nil
	}
	switch {
	case p.memory < 0:
		return nil, usage("--memory-rate %d: it is a number of bytes from 1, such as 524288", p.memory)
	case p.memory > 0 && p.readOnly:
		return nil, usage("--memory-rate %d is written into the process, and --read-only forbids that: leave one of them out", p.memory)
	}
	pids, err := numbers(p.pids)
	if err != nil {
		return nil, err
	}
	for _, name := range p.names {
		found, err := attach.Named(name)
		if err != nil {
			return nil, err
		}
		pids = append(pids, found...)
	}
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find unpark's own binary, which is the reader: %w", err)
	}
	return attach.Start(c.Context(), attach.Options{PIDs: pids, ReadOnly: p.readOnly, MemoryRate: p.memory, Command: []string{self, readerName}})
}
