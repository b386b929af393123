package kube

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/unpark-go/unpark/internal/kube/kubectl"
	"github.com/unpark-go/unpark/internal/kube/manifest"
)

// Result is what became of a run.
type Result struct {
	Dir    string // the run directory, without .partial
	Status int    // exit status of the coordinator
	Said   string // its last words, when that is not 0
}

// session is a run that goes on.
type session struct {
	*Plan
	pace pace
	uid  string
}

// pace is how long steps may take; thresholds.go says why.
type pace struct {
	patience, look, lonely, pulling, unplaced, removal, stopping, fetching, outage time.Duration
}

func usualPace() pace {
	return pace{Patience, look, lonely, pulling, unplaced, removal, stopping, fetching, outage}
}

// Run makes the objects, follows the run until its directory can be fetched, and removes
// everything, whatever happens. When ctx ends the coordinator is told to end, and what it has by
// then is fetched.
func (p *Plan) Run(ctx context.Context) (Result, error) {
	return p.paced(ctx, usualPace())
}

func (p *Plan) paced(ctx context.Context, at pace) (r Result, err error) {
	s := &session{Plan: p, pace: at}
	if err := s.free(); err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, s.remove(context.WithoutCancel(ctx))) }()
	if err := s.create(ctx); err != nil {
		return r, err
	}
	if err := s.attach(ctx); err != nil {
		return r, err
	}
	coordinator, err := s.follow(ctx)
	switch {
	case err == nil:
		return s.fetch(ctx, coordinator, false)
	case ctx.Err() == nil || coordinator == "":
		return r, err
	}
	s.tell("interrupted: fetching what there is by now")
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), at.stopping)
	defer cancel()
	r, fetched := s.fetch(late, coordinator, true)
	return r, errors.Join(errors.New("interrupted"), fetched)
}

// free refuses a folder that is there.
func (s *session) free() error {
	for _, name := range []string{s.config.Dir, s.config.Dir + ".partial"} {
		if _, err := os.Lstat(name); err == nil {
			return fmt.Errorf("write the run to %s: it exists already: name another folder with --out", name)
		}
	}
	return nil
}

// create makes the Job that owns the others, then those: from the first on there is something that the
// cluster ends by itself, and nothing that it would leave. Its pod waits for the Secret meanwhile.
func (s *session) create(ctx context.Context) error {
	owner, err := manifest.JSON(manifest.Coordinator(s.run))
	if err != nil {
		return err
	}
	var made struct {
		Items    []madeObject `json:"items"` // a List of one is answered by either
		Metadata madeMeta     `json:"metadata"`
	}
	if err := s.client.Send(ctx, owner, &made, "create", "--filename=-"); err != nil {
		return err
	}
	if s.uid = made.Metadata.UID; s.uid == "" && len(made.Items) > 0 {
		s.uid = made.Items[0].Metadata.UID
	}
	if s.uid == "" {
		return fmt.Errorf("create job/%s: kubectl's answer has no uid: is it another program of this name? %s", s.run.Name(), s.client.Path)
	}
	others, err := manifest.JSON(manifest.Others(s.run, s.uid)...)
	if err != nil {
		return err
	}
	if err := s.client.Send(ctx, others, nil, "create", "--filename=-"); err != nil {
		return err
	}
	s.tell("made; waiting until %d pods run", s.run.Agents+1)
	return nil
}

type madeObject struct {
	Metadata madeMeta `json:"metadata"`
}

type madeMeta struct {
	UID string `json:"uid"`
}

// attach puts an ephemeral container into each pod that has no endpoint.
func (s *session) attach(ctx context.Context) error {
	if !s.run.Attaches {
		return nil
	}
	part, err := manifest.Attach(s.run)
	if err != nil {
		return err
	}
	file, err := os.CreateTemp("", "unpark-kube-*.json")
	if err != nil {
		return fmt.Errorf("describe the container that attaches: %w", err)
	}
	defer func() { _ = os.Remove(file.Name()) }()
	_, err = file.Write(part)
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("describe the container that attaches: %w", err)
	}
	for i := range s.captured {
		c := &s.captured[i]
		if c.agent == "" {
			continue
		}
		args := []string{
			"debug", "pod/" + c.pod.Metadata.Name, "--image=" + s.run.Image, "--target=" + c.container, "--container=" + s.ephemeral(i),
			"--profile=general", "--custom=" + file.Name(), "--attach=false", "--quiet", "--", program, // what follows -- takes the place of the image's entry point
		}
		if err := s.client.Send(ctx, nil, nil, append(args, s.pods.Attach(c.agent)...)...); err != nil {
			return attachFailed(err, s.run.Namespace)
		}
	}
	return nil
}

// ephemeral names the container in pod i: two runs can attach to one pod one after the other, and the
// first stays listed.
func (s *session) ephemeral(i int) string { return s.run.Name() + "-" + strconv.Itoa(i) }

// attachFailed says which pod security level allows what was refused.
func attachFailed(err error, namespace string) error {
	var f *kubectl.Failure
	if errors.As(err, &f) && f.Reason == kubectl.Refused {
		return fmt.Errorf("%w. Attaching takes root, SYS_PTRACE and PERFMON, which the pod security levels baseline and restricted forbid: allow it for this namespace with `kubectl label namespace %s pod-security.kubernetes.io/enforce=privileged --overwrite`, or give the pods an endpoint, which takes neither", err, namespace)
	}
	return err
}

// remove takes the Job away, and with it what it owns, and waits until its pods are gone.
func (s *session) remove(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, s.pace.removal)
	defer cancel()
	err := s.client.Send(ctx, nil, nil, "delete", "job", s.run.Name(), "--cascade=foreground", "--ignore-not-found", "--wait=false")
	for err == nil {
		var left struct {
			Items []struct {
				Kind     string `json:"kind"`
				Metadata struct {
					Name string `json:"name"`
				} `json:"metadata"`
			} `json:"items"`
		}
		if err = s.client.Get(ctx, &left, "get", "jobs,pods", "--selector="+s.label()); err == nil && len(left.Items) == 0 {
			s.tell("removed")
			return nil
		}
		if err == nil {
			err = pause(ctx, s.pace.look/2)
		}
	}
	return fmt.Errorf("remove job/%s: %w: it ends by itself within %s; by hand: kubectl delete job %s --namespace=%s", s.run.Name(), err, s.run.TTL+afterwards, s.run.Name(), s.run.Namespace)
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
