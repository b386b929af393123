package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/fleet/agent"
	"github.com/unpark-go/unpark/internal/fleet/wire"
	"github.com/unpark-go/unpark/internal/measure/inspect/attach"
)

// clockVariable sets an agent's clock ahead, as 2s: for tests, because the wall clock is one
// for the whole machine.
const clockVariable = "UNPARK_TEST_CLOCK"

// agentFlags are those of `unpark agent`.
type agentFlags struct {
	join   string
	creds  string
	name   string
	allow  []string
	attach bool
	quiet  bool
	length time.Duration
	idle   time.Duration
}

func newAgent(s streams) *cobra.Command {
	var a agentFlags
	c := &cobra.Command{
		Use:   "agent --join nats://HOST:7422 --creds FILE",
		Short: "Offer this machine to a coordinator: load, and capture of processes here",
		Long: `Offer this machine to a coordinator, which is an "unpark run --agents" or "unpark load
--agents" elsewhere: load from here, and capture of processes that run here.

  unpark agent --join nats://10.0.0.5:7422 --creds join
  UNPARK_JOIN="$(cat join)" unpark agent --join nats://10.0.0.5:7422
  unpark agent --join nats://10.0.0.5:7422 --creds join --allow www.example.com --allow-attach

It does nothing without the credential that the coordinator has named. It loads only
hosts that the coordinator's user named and that its own list permits: this machine,
private addresses, and what --allow names. Processes are read by number (pid:N) only
with --allow-attach. The load ends when the coordinator is not heard of for 5 s. It
needs no rights of its own, and stays until Ctrl-C, or as long as --for and --idle say
(docs/fleet.md).`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.run(c.Context(), s) },
	}
	f := c.Flags()
	f.StringVar(&a.join, "join", "", "`URL` of the coordinator's NATS server")
	f.StringVar(&a.creds, "creds", "", "`file` with the credential to join (else $"+joinVariable+")")
	f.StringVar(&a.name, "name", "", "name of this agent (that of the machine)")
	f.StringArrayVar(&a.allow, "allow", nil, "a `host` that may be loaded or captured although it is neither this machine nor private; repeatable")
	f.BoolVar(&a.attach, "allow-attach", false, "processes of this user may be read from outside, by their number")
	f.DurationVar(&a.length, "for", 0, "end after that, whatever goes on; 0: not")
	f.DurationVar(&a.idle, "idle", 0, "end when it has done what it was asked, and was asked no more for so long; 0: not")
	f.BoolVarP(&a.quiet, "quiet", "q", false, "say nothing on standard error")
	return c
}

func (a *agentFlags) run(ctx context.Context, s streams) error {
	if a.join == "" {
		return usage("join what? Name the coordinator's address with --join, such as nats://10.0.0.5:7422: it says it when it starts")
	}
	if err := a.address(); err != nil {
		return err
	}
	if a.length < 0 || a.idle < 0 {
		return usage("--for %v, --idle %v: give times, or leave them out", a.length, a.idle)
	}
	join, err := joined(a.creds)
	if err != nil {
		return status{exitUsage, err}
	}
	o := agent.Options{Name: a.name, Join: join, Address: a.join, Allow: a.allow, Version: buildVersion(), Token: os.Getenv("UNPARK_PROBE_TOKEN"), For: a.length, Idle: a.idle}
	if o.Name == "" {
		if o.Name, err = hostName(); err != nil {
			return err
		}
	}
	if !wire.Valid(o.Name) {
		return usage("agent name %q: it has letters, digits, - and _, 64 at most: choose another with --name", o.Name)
	}
	if a.attach {
		o.Attach = attachTo
	}
	if text := os.Getenv(clockVariable); text != "" {
		if o.Shift, err = time.ParseDuration(text); err != nil {
			return usage("%s: %w", clockVariable, err)
		}
	}
	var mu sync.Mutex
	o.Say = func(line string) {
		mu.Lock()
		defer mu.Unlock()
		if !a.quiet {
			fmt.Fprintf(s.err, "agent %s: %s\n", o.Name, escape.Prose(line))
		}
	}
	return agent.Run(ctx, o)
}

// address checks where the coordinator is; what names no scheme is of NATS.
func (a *agentFlags) address() error {
	if !strings.Contains(a.join, "://") {
		a.join = "nats://" + a.join
	}
	u, err := url.Parse(a.join)
	switch {
	case err == nil && u.User != nil:
		return usage("--join: write nats://HOST:PORT, without a user or a token: other users of this machine can read them; the credential comes by --creds or $%s", joinVariable)
	case err != nil || u.Hostname() == "" || u.Scheme == "http" || u.Scheme == "https":
		return usage("--join %s: write nats://HOST:PORT, as the coordinator says it when it starts", unpark.RedactURL(a.join))
	case u.Port() == "":
		return usage("--join %s: name the port, too: the coordinator says it when it starts, 7422 unless --listen names another; that of a NATS server of your own is most often 4222", a.join)
	}
	return nil
}

// hostName is the machine's, as a name of an agent.
func hostName() (string, error) {
	name, err := os.Hostname()
	if err != nil {
		return "", fmt.Errorf("name this agent: %w: name it with --name", err)
	}
	name, _, _ = strings.Cut(name, ".")
	return name, nil
}

// attachTo opens one process by its number, with a reader of its own.
func attachTo(ctx context.Context, pid int) (string, func() error, error) {
	self, err := os.Executable()
	if err != nil {
		return "", nil, fmt.Errorf("find unpark's own binary, which is the reader: %w", err)
	}
	attached, err := attach.Start(context.WithoutCancel(ctx), attach.Options{PIDs: []int{pid}, Command: []string{self, readerName}})
	if err != nil {
		return "", nil, err
	}
	if len(attached.Addresses) != 1 {
		return "", nil, errors.Join(fmt.Errorf("attach to process %d: it has no address", pid), attached.Close())
	}
	return attached.Addresses[0], attached.Close, nil
}
