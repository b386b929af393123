package main

import (
	"context"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"

	"github.com/unpark-go/unpark/labs/expect"
)

// attempt is one repeat of one arm.
type attempt struct {
	lab    expect.Lab
	name   string // of the arm
	arm    expect.Arm
	repeat int // from 1
}

func (a attempt) String() string { return fmt.Sprintf("%s/%s #%d", a.lab.Name, a.name, a.repeat) }

type plan []attempt

// schedule lists what to run. Whole repeats follow one another, so that a noisy
// minute hits one of them and an interrupted run has every arm; within one, the
// arms of a lab do, so that a step is measured within a minute.
func schedule(labs []expect.Lab, o options) plan {
	var out plan
	for repeat := range o.repeats {
		for _, lab := range labs {
			for _, name := range slices.Sorted(maps.Keys(lab.Arms)) {
				arm := lab.Arms[name]
				if o.short { // one short window is no forecast to hold anybody to
					arm = arm.Unforecast()
				}
				if o.Attach { // no trace of what is read from outside: its requests are joined by connections
					arm.Joined = ""
				}
				if o.wants(lab.Name+"/"+name, arm) {
					out = append(out, attempt{lab, name, arm, repeat + 1})
				}
			}
		}
	}
	return out
}

func (o options) wants(name string, arm expect.Arm) bool {
	switch {
	case o.only != nil && !o.only.MatchString(name):
		return false
	case o.short:
		return arm.Short
	default:
		return o.all || !arm.Extra || o.only != nil
	}
}

// repeats is how often the plan has an arm.
func (p plan) repeats(lab, arm string) int {
	n := 0
	for _, a := range p {
		if a.lab.Name == lab && a.name == arm {
			n++
		}
	}
	return n
}

// commit names the state of the tree; the pages themselves are no change to it.
func commit(ctx context.Context, root string) string {
	git := func(args ...string) string {
		c := exec.CommandContext(ctx, "git", args...)
		c.Dir = root
		out, err := c.Output()
		if err != nil {
			return ""
		}
		return strings.TrimSpace(string(out))
	}
	at := git("rev-parse", "--short=12", "HEAD")
	if at == "" {
		return "unknown"
	}
	if git("status", "--porcelain", "--", ".", ":!docs/scoreboard.md", ":!docs/scorecard.md") != "" {
		at += " with changes"
	}
	return at
}
