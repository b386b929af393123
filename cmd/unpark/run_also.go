package main

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/measure/window"
)

// alsoFlags name services that the target asks.
type alsoFlags struct {
	services []string
	opened   []func() error
}

func (a *alsoFlags) register(c *cobra.Command) {
	c.Flags().StringArrayVar(&a.services, "also", nil, "`NAME=` a service that this one asks, captured in the same window: its pprof endpoint, its pid, or a command that starts it; repeatable")
}

// callees reads the flags, and attaches to the processes that are named by number; close ends that.
func (a *alsoFlags) callees(c *cobra.Command) ([]investigate.Config, error) {
	byName := map[string]int{}
	var out []investigate.Config
	for _, text := range a.services {
		name, what, ok := strings.Cut(text, "=")
		what = strings.TrimSpace(what)
		if !ok || name == "" || what == "" {
			return nil, usage("--also %q: write it like inventory=http://127.0.0.1:6061, inventory=4711 (a pid), or inventory='./inventory -addr :9090' (a command that starts it)", text)
		}
		at, known := byName[name]
		if !known {
			at = len(out)
			byName[name] = at
			out = append(out, investigate.Config{Name: name})
		}
		one := &out[at]
		switch {
		case len(one.Command) > 0:
			return nil, usage("--also %q: %s is started by a command already: a service has a command, or processes that run", text, name)
		case numeric(what):
			addresses, err := a.attach(c, what)
			if err != nil {
				return nil, err
			}
			one.Pprof = append(one.Pprof, addresses...)
		case isEndpoint(what):
			if _, err := window.NewEndpoint(what, ""); err != nil {
				return nil, usage("--also %s: %w", name, err)
			}
			one.Pprof = append(one.Pprof, what)
		case known:
			return nil, usage("--also %q: %s is named twice, and a command starts all of a service", text, name)
		default:
			one.Command = strings.Fields(what)
		}
	}
	return out, nil
}

// attach opens a process by its number.
func (a *alsoFlags) attach(c *cobra.Command, pid string) ([]string, error) {
	readOnly, _ := c.Flags().GetBool("read-only") // what is not to be written into one service, is not into the other
	p := &pidFlags{pids: []string{pid}, readOnly: readOnly}
	attached, err := p.open(c)
	if err != nil {
		return nil, err
	}
	p.tell(c)
	a.opened = append(a.opened, attached.Close)
	return attached.Addresses, nil
}

// close ends what reads processes.
func (a *alsoFlags) close() error {
	var errs []error
	for _, end := range a.opened {
		errs = append(errs, end())
	}
	a.opened = nil
	return errors.Join(errs...)
}

// byNumber reports whether a service is named by the number of a process.
func (a *alsoFlags) byNumber() bool {
	return slices.ContainsFunc(a.services, func(text string) bool {
		_, what, _ := strings.Cut(text, "=")
		return numeric(strings.TrimSpace(what))
	})
}

func numeric(s string) bool {
	_, err := strconv.Atoi(s)
	return err == nil
}

// isEndpoint reports whether a text is the address of one, and no command: a URL, or host:port.
func isEndpoint(s string) bool {
	if strings.ContainsAny(s, " \t") {
		return false
	}
	if strings.Contains(s, "://") {
		return true
	}
	at := strings.LastIndexByte(s, ':')
	return at >= 0 && numeric(s[at+1:])
}
