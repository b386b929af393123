package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/fleet"
	"github.com/unpark-go/unpark/internal/fleet/hub"
	"github.com/unpark-go/unpark/internal/fleet/wire"
)

// joinVariable has the text of a join credential, where it is in no file.
const joinVariable = "UNPARK_JOIN"

// fleetFlags say where agents are met, and which of them take part.
type fleetFlags struct {
	agents  string
	address string
	creds   string
	listen  string
	dir     string
	wait    time.Duration
}

func (f *fleetFlags) register(c *cobra.Command) {
	f.registerHub(c)
	c.Flags().StringVar(&f.agents, "agents", "", "load and capture by other machines: how `many`, or names with commas between them")
	c.Flags().DurationVar(&f.wait, "agents-wait", time.Minute, "how long to wait until they are there")
}

func (f *fleetFlags) registerHub(c *cobra.Command) {
	c.Flags().StringVar(&f.address, "nats", "", "`URL` of your NATS server for agents; without it unpark serves one")
	c.Flags().StringVar(&f.creds, "creds", "", "with --nats: `file` with a NATS credential or the seed of an NKey")
	c.Flags().StringVar(&f.listen, "listen", "127.0.0.1:7422", "where unpark's own server listens for agents; TLS beyond loopback")
	c.Flags().StringVar(&f.dir, "fleet-dir", "", "`folder` with the identity of unpark's own server (unpark/fleet in the user's configuration)")
}

func (f *fleetFlags) given() bool { return f.agents != "" }

// open connects to NATS, or serves it and says how agents join.
func (f *fleetFlags) open(ctx context.Context, errs io.Writer) (*fleet.Fleet, error) {
	o := fleet.Options{Address: f.address, Listen: f.listen}
	var err error
	join, made := "", false
	if f.address != "" {
		if f.creds != "" {
			if o.Join, err = hub.ReadJoin(f.creds); err != nil {
				return nil, status{exitUsage, fmt.Errorf("--creds: %w", err)}
			}
		}
	} else {
		dir := f.dir
		if dir == "" {
			base, err := os.UserConfigDir()
			if err != nil {
				return nil, fmt.Errorf("find the folder for the fleet's identity: %w: name one with --fleet-dir", err)
			}
			dir = filepath.Join(base, "unpark", "fleet")
		}
		if o.Identity, join, made, err = hub.Open(dir); err != nil {
			return nil, err
		}
	}
	opened, err := fleet.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	if u := opened.URL(); u != "" {
		fmt.Fprintf(errs, "agents join at %s with %s\n", u, join)
		if made {
			fmt.Fprintf(errs, "that credential is new: copy it to each agent, and start there: unpark agent --join %s --creds FILE\n", u)
		}
	}
	return opened, nil
}

// across chooses the agents of a run, and says what each captures.
func (f *fleetFlags) team(ctx context.Context, errs io.Writer, plan unpark.Plan, captures []string) (*fleet.Team, error) {
	a := &fleet.Team{Capture: map[string][]string{}, Hosts: hostsOf(plan.Requests)}
	var each []string // of every agent
	for _, text := range captures {
		name, what, ok := strings.Cut(text, "=")
		switch named := ok && wire.Valid(name); {
		case !named && (isEndpoint(text) || strings.HasPrefix(text, "pid:")):
			each = append(each, text)
		case !named || what == "":
			return nil, usage("--capture %q: write agent=http://127.0.0.1:6060, agent=unix:///run/app.sock or agent=pid:4711", unpark.RedactURL(text))
		case !slices.Contains(strings.Split(f.agents, ","), name):
			return nil, usage("--capture %s: --agents has to name this agent: --agents %s,…", name, name)
		default:
			a.Capture[name] = append(a.Capture[name], what)
		}
	}
	var err error
	if a.Fleet, err = f.open(ctx, errs); err != nil {
		return nil, err
	}
	if a.Agents, err = a.Fleet.Choose(ctx, f.agents, f.wait); err != nil {
		a.Fleet.Close()
		return nil, err
	}
	for _, one := range a.Agents {
		a.Capture[one.Name] = append(a.Capture[one.Name], each...)
		if plan.Mode == unpark.NoLoad && len(a.Capture[one.Name]) == 0 {
			a.Fleet.Close()
			return nil, usage("agent %s has nothing to do: say what it captures with --capture %s=…", one.Name, one.Name)
		}
	}
	return a, nil
}

// hostsOf are the hosts that a plan names.
func hostsOf(requests []unpark.Request) []string {
	var out []string
	for _, r := range requests {
		u, err := url.Parse(r.URL)
		if err != nil || strings.HasPrefix(r.URL, unpark.Unix) {
			continue
		}
		if h := u.Hostname(); !slices.Contains(out, h) {
			out = append(out, h)
		}
	}
	return out
}

// joined reads the credential of an agent: a file, or the environment, never the command
// line, which other users of the machine can read.
func joined(file string) (hub.Join, error) {
	if file != "" {
		return hub.ReadJoin(file)
	}
	if text := os.Getenv(joinVariable); text != "" {
		if err := os.Unsetenv(joinVariable); err != nil { // what it starts need not have it
			return hub.Join{}, err
		}
		return hub.ParseJoin(text)
	}
	return hub.Join{}, errors.New("an agent does nothing without a credential: name its file with --creds, or set " + joinVariable)
}
