package main

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/inspect/attach"
	"github.com/unpark-go/unpark/internal/measure/target/sockets"
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

	asked []unpark.Request // by the load, if there is one
	also  bool             // a service that the target asks is read by its number
}

func (p *pidFlags) register(c *cobra.Command) {
	p.registerNames(c, ", with a load those that listen where it goes")
	f := c.Flags()
	f.BoolVar(&p.readOnly, "read-only", false, "with --pid: write nothing into the process; waits for locks and channels are then off unless it records them itself")
	f.Int64Var(&p.memory, "memory-rate", 0, "with --pid: record one in so many allocated `bytes`, such as 524288, where the program records none; writes runtime.MemProfileRate")
}

// registerNames has the flags of a command that writes nothing.
func (p *pidFlags) registerNames(c *cobra.Command, which string) {
	f := c.Flags()
	f.StringArrayVar(&p.pids, "pid", nil, "`number` of a Go process of this machine, which is read from outside: it needs no endpoint; repeatable")
	f.StringArrayVar(&p.names, "pid-of", nil, "`name` of a program, all processes of which are meant"+which+"; repeatable")
}

func (p *pidFlags) given() bool { return len(p.pids)+len(p.names) > 0 }

// open starts the reader; nil when no process is named.
func (p *pidFlags) open(c *cobra.Command) (*attach.Attached, error) {
	if !p.given() {
		switch {
		case p.readOnly && !p.also:
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
		found, others := serving(found, p.asked)
		if len(others) > 0 {
			them, do, are := notListening(others)
			fmt.Fprintf(c.ErrOrStderr(), "unpark: of the processes named %s, %s %s not listen at the address that is asked, and %s left out: name with --pid what is to be read as well\n",
				name, them, do, are)
		}
		pids = append(pids, found...)
	}
	named := map[int]bool{} // by its number, and by its program as well
	pids = slices.DeleteFunc(pids, func(pid int) bool {
		again := named[pid]
		named[pid] = true
		return again
	})
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find unpark's own binary, which is the reader: %w", err)
	}
	return attach.Start(c.Context(), attach.Options{PIDs: pids, ReadOnly: p.readOnly, MemoryRate: p.memory, Command: []string{self, readerName}})
}

// serving parts the processes of one program into those that listen where requests go and the others: a program often is
// several services, by its arguments, of which one asks another, and waits of the one that is asked are not the other's own. Where none
// of them listens there, as behind a proxy, all serve.
func serving(pids []int, asked []unpark.Request) (serve, others []int) {
	listens := map[int]bool{}
	seen := map[string]bool{}
	for _, r := range asked {
		at, listeners := addressOf(r, pids)
		if at == "" || seen[at] {
			continue
		}
		seen[at] = true
		for _, pid := range listeners() {
			listens[pid] = true
		}
	}
	for _, pid := range pids {
		if listens[pid] {
			serve = append(serve, pid)
		} else {
			others = append(others, pid)
		}
	}
	if len(serve) == 0 {
		return pids, nil
	}
	return serve, others
}

// addressOf is where a request goes, and what tells those of some processes that listen there.
func addressOf(r unpark.Request, pids []int) (address string, listeners func() []int) {
	if path, _, ok := unpark.SplitUnix(r.URL); ok {
		return path, func() []int {
			return slices.DeleteFunc(slices.Clone(pids), func(pid int) bool {
				paths, _ := sockets.Unix([]int{pid}) // where they cannot be listed, none listens
				return !slices.Contains(paths, path)
			})
		}
	}
	u, err := url.Parse(r.URL)
	if err != nil {
		return "", nil
	}
	address = net.JoinHostPort(u.Hostname(), portOf(u))
	return address, func() []int { return sockets.Listeners(address) }
}

// notListening says of processes that they do not listen, and are left out for it.
func notListening(pids []int) (them, do, are string) {
	var out []string
	for _, pid := range pids {
		out = append(out, strconv.Itoa(pid))
	}
	if len(out) == 1 {
		return out[0], "does", "is"
	}
	return strings.Join(out, ", "), "do", "are"
}
