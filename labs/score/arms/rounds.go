package arms

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/unpark-go/unpark/labs/expect"
)

// Rounds are two arms of a lab to run in turns, unprofiled. What is beside them is
// one process for both and for all rounds; the services that each asks are there for all rounds as well, and are asked
// in its own.
type Rounds struct {
	Lab           expect.Lab
	Before, After expect.Arm
	Rate          string // what "calibration" stands for
	Dir           string // of the comparison; must not exist
	Length
	Progress io.Writer // nil for quiet
}

// Length is how long rounds take. An arm that has a duration of its own keeps it
// when it is longer.
type Length struct {
	Rounds           int
	Duration, Warmup time.Duration
	Most             time.Duration // for all
}

// Rounds runs `unpark ab` and writes its document to out. An error means that there is no outcome for reasons of
// this program or of ctx; one of unpark's is a Result.
func (b *Bench) Rounds(ctx context.Context, r Rounds, out io.Writer) (res Result, err error) {
	if err := r.alike(); err != nil {
		return res, err
	}
	ctx, cancel := context.WithTimeout(ctx, r.Most)
	defer cancel()
	p, err := b.place(ctx, r.Lab, r.Before)
	if err != nil {
		return res, err
	}
	defer p.leave(&err)
	load, duration := lengthened(r.Before.Load, r.Duration)
	args := []string{
		"ab", "--out", r.Dir, "--json", "--scorecard", "none", "--profile-duration", "0s", "--identical", "0",
		"--rounds", strconv.Itoa(r.Length.Rounds), "--duration", duration.String(), "--warmup", r.Warmup.String(),
	}
	if r.Progress == nil {
		args = append(args, "--quiet")
	}
	args = append(args, at(load, r.Rate)...)
	requests, err := b.requests(r.Lab, r.Before, p.base(), p.scratch)
	if err != nil {
		return res, err
	}
	before, err := b.command(ctx, r.Lab, r.Before, p)
	if err != nil {
		return res, err
	}
	after, err := b.command(ctx, r.Lab, r.After, p)
	if err != nil {
		return res, err
	}
	args = append(append(args, requests...), "--before", before, "--after", after)
	return b.drive(ctx, args, nil, out, r.Progress)
}

// alike refuses arms that differ in more than the service: what they have beside
// them, and the load.
func (r Rounds) alike() error {
	a, b := r.Before, r.After
	same := slices.Equal(a.Beside, b.Beside) && slices.Equal(a.Load, b.Load) && a.Path == b.Path && a.Targets == b.Targets
	if !same || a.GeneratorCPUs != 0 || b.GeneratorCPUs != 0 {
		return fmt.Errorf("run two arms of %s in turns: they need the same load, requests and processes beside them, and a free generator", r.Lab.Name)
	}
	return nil
}

// command is an arm as one argument, which unpark splits like a shell. What the arm's service asks is started.
func (b *Bench) command(ctx context.Context, lab expect.Lab, arm expect.Arm, p *place) (string, error) {
	also, err := rooms(arm.Also)
	if err != nil {
		return "", err
	}
	arm = p.located(arm, also)
	if _, err := b.startAlso(ctx, p, lab, arm, also); err != nil {
		return "", err
	}
	words := append([]string{b.binary(lab), "-addr", p.addr}, arm.Args...)
	for i, w := range words {
		words[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	return strings.Join(words, " "), nil
}
