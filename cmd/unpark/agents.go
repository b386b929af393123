package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/fleet"
)

func newAgents(s streams) *cobra.Command {
	var f fleetFlags
	var wait time.Duration
	var asJSON bool
	c := &cobra.Command{
		Use:   "agents",
		Short: "List the agents: health, version, clock, cores, room",
		Long: `List the agents that have joined: whether they can take part, and if not why; how far
their clocks are from this one's and how well that is known; cores and free memory.

  unpark agents                                  with unpark's own server: waits for agents to find it
  unpark agents --nats nats://10.0.0.9:4222 --creds user.creds

An agent whose clock is known to more than ±5 ms, or whose documents are of another
version, is refused.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			opened, err := f.open(c.Context(), s.err)
			if err != nil {
				return err
			}
			defer opened.Close()
			all, err := opened.Agents(c.Context(), wait)
			if c.Context().Err() != nil {
				return nil
			}
			if err != nil {
				return err
			}
			if asJSON {
				enc := json.NewEncoder(s.out)
				enc.SetIndent("", "  ")
				return enc.Encode(agentList(all))
			}
			return f.list(s, all)
		},
	}
	f.registerHub(c)
	c.Flags().DurationVar(&wait, "wait", 4*time.Second, "how long agents have to find unpark's own server, or to join where yours lists none")
	c.Flags().BoolVar(&asJSON, "json", false, "print the list as JSON")
	return c
}

func (f *fleetFlags) list(s streams, all []fleet.Agent) error {
	if len(all) == 0 {
		return errors.New("no agent has joined: start `unpark agent --join URL --creds FILE` on a machine that reaches this one")
	}
	name, version := len("agent"), len("version")
	for _, a := range all {
		name, version = max(name, utf8.RuneCountInString(escape.Prose(a.Name))), max(version, utf8.RuneCountInString(escape.Prose(a.Version.Version)))
	}
	fmt.Fprintf(s.out, "%-*s  health   %-*s  cores  busy     free       clock       trip  offers\n", name, "agent", version, "version")
	for _, a := range all {
		health := "ready"
		switch {
		case a.Refused != "":
			health = "refused"
		case a.Busy != "":
			health = "busy"
		}
		offers := "load, capture"
		if a.Attach {
			offers += ", attach"
		}
		if len(a.Allow) > 0 {
			offers += "; may load " + strings.Join(a.Allow, ", ")
		}
		if a.Refused != "" {
			offers = a.Refused
		}
		fmt.Fprintf(s.out, "%-*s  %-7s  %-*s  %5d  %4.1f  %4.1f GB  %10s  %9s  %s\n", name, escape.Prose(a.Name), health, version, escape.Prose(a.Version.Version),
			a.Host.CPUs, a.Hello.Load, a.Free/1e9, a.Clock.Ahead.Round(10*time.Microsecond), a.Clock.Trip.Round(10*time.Microsecond), escape.Prose(offers))
	}
	return nil
}

// agentLine is an agent in the list as JSON.
type agentLine struct {
	Name    string   `json:"name"`
	Health  string   `json:"health"` // "ready", "busy", "refused"
	Why     string   `json:"why,omitempty"`
	Version string   `json:"version"`
	CPUs    int      `json:"cpus"`
	Busy    float64  `json:"busy_cores"`
	Free    float64  `json:"free_memory_bytes"`
	Offset  float64  `json:"clock_offset_s"`
	Spread  float64  `json:"clock_spread_s"`
	Trip    float64  `json:"round_trip_s"`
	Attach  bool     `json:"attach"`
	Allow   []string `json:"allow"`
}

// agentList is the document that `unpark agents --json` prints.
func agentList(all []fleet.Agent) any {
	out := struct {
		Schema string      `json:"schema"`
		Agents []agentLine `json:"agents"`
	}{"unpark.agents/v1", []agentLine{}}
	for _, a := range all {
		l := agentLine{
			Name: a.Name, Health: "ready", Why: a.Refused, Version: a.Version.Version, CPUs: a.Host.CPUs, Busy: a.Hello.Load, Free: a.Free,
			Offset: a.Clock.Ahead.Seconds(), Spread: a.Clock.Spread.Seconds(), Trip: a.Clock.Trip.Seconds(), Attach: a.Attach, Allow: append([]string{}, a.Allow...),
		}
		switch {
		case a.Refused != "":
			l.Health = "refused"
		case a.Busy != "":
			l.Health = "busy"
		}
		out.Agents = append(out.Agents, l)
	}
	return out
}
