package main

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark/internal/exchange"
	"github.com/unpark-go/unpark/internal/investigate"
)

// pyroscopeFlags say what to take out of Pyroscope.
type pyroscopeFlags struct {
	address  string
	service  string
	labels   []string
	from, to string
}

func (p *pyroscopeFlags) register(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&p.address, "pyroscope", "", "`URL` of a Pyroscope server to take profiles from")
	f.StringVar(&p.service, "service", "", "with --pyroscope: the service (label service_name)")
	f.StringArrayVar(&p.labels, "label", nil, "with --pyroscope: `name=value` that the series have as well; repeatable")
	f.StringVar(&p.from, "from", "15m", "with --pyroscope: begin of the range, 2026-01-02T15:04:05Z or so long ago as 30m")
	f.StringVar(&p.to, "to", "0s", "with --pyroscope: its end, likewise (now)")
}

// diagnose does nothing without --pyroscope.
func (p *pyroscopeFlags) diagnose(c *cobra.Command, own []string) (investigate.Outcome, error) {
	if p.address == "" {
		for _, name := range []string{"service", "label", "from", "to"} {
			if c.Flags().Changed(name) {
				return investigate.Outcome{}, usage("--%s is for --pyroscope URL", name)
			}
		}
		return investigate.Outcome{}, nil
	}
	q := exchange.Query{Service: p.service, Labels: map[string]string{}}
	now := time.Now()
	var err error
	if q.From, err = moment("from", p.from, now); err != nil {
		return investigate.Outcome{}, err
	}
	if q.To, err = moment("to", p.to, now); err != nil {
		return investigate.Outcome{}, err
	}
	switch {
	case p.service == "":
		return investigate.Outcome{}, usage("diagnose which service? Name it with --service, as Pyroscope calls it")
	case !q.From.Before(q.To):
		return investigate.Outcome{}, usage("--from %s is not before --to %s", p.from, p.to)
	}
	for _, l := range p.labels {
		name, value, ok := strings.Cut(l, "=")
		if !ok || !labelName(name) {
			return investigate.Outcome{}, usage("--label %q: write it as name=value, the name of letters, digits and _", l)
		}
		q.Labels[name] = value
	}
	from, err := exchange.NewPyroscope(p.address)
	if err != nil {
		return investigate.Outcome{}, usage("--pyroscope: %w", err)
	}
	set, err := from.Import(c.Context(), q)
	if err != nil {
		return investigate.Outcome{}, err
	}
	return investigate.Config{Version: buildVersion(), Own: own}.Received(set)
}

func labelName(s string) bool {
	for i, r := range s {
		letter := r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}

// moment reads a time, or how long ago it was.
func moment(flag, text string, now time.Time) (time.Time, error) {
	if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		return now.Add(-d), nil
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return t, usage("--%s %q: write a time as 2026-01-02T15:04:05Z, or how long ago as 30m", flag, text)
	}
	return t, nil
}
