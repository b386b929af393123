package kube

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/unpark-go/unpark/internal/escape"
)

// judge says why a pod of the run will not do. An agent that fails in the middle is told alone:
// the coordinator voids its part.
func (w *watch) judge(p *pod, leads bool) error {
	name := "pod/" + p.Metadata.Name
	if reason, message := waits(p.Status.Containers); reason != "" {
		return w.waiting(p, reason, message)
	}
	if c := unscheduled(p); c != nil {
		if w.once(name + "unscheduled") {
			w.tell("%s finds no node: %s", name, c.Message)
		}
		if w.lasts(name+"unscheduled", w.pace.unplaced) {
			return fmt.Errorf("%s finds no node: %s: %s", name, escape.Prose(c.Message), w.room())
		}
		return nil
	}
	if p.Status.Phase != "Failed" && p.Metadata.DeletionTimestamp == "" {
		return nil
	}
	why := failure(p)
	if leads {
		return fmt.Errorf("the coordinator, %s, ended: %s: the run is lost with it", name, escape.Prose(why))
	}
	if !w.running {
		return fmt.Errorf("%s ended before the run began: %s: look with `kubectl logs %s --namespace=%s`", name, escape.Prose(why), name, w.run.Namespace)
	}
	if w.once(name + "failed") {
		w.tell("%s ended: %s; its part of the load is void", name, why)
	}
	return nil
}

// waiting is a container that cannot be started.
func (w *watch) waiting(p *pod, reason, message string) error {
	name := "pod/" + p.Metadata.Name
	text := fmt.Sprintf("%s: %s: %s", name, reason, escape.Prose(message))
	switch reason {
	case "ErrImagePull", "ImagePullBackOff":
		if !w.lasts(name+"pull", w.pace.pulling) {
			return nil
		}
		return fmt.Errorf("%s: check --image %s, and for a private registry name the Secret with its credentials: --pull-secret NAME", text, w.run.Image)
	case "InvalidImageName", "ErrImageNeverPull":
		return fmt.Errorf("%s: check --image %s", text, w.run.Image)
	case "CreateContainerError", "RunContainerError":
		return fmt.Errorf("%s: the image must have unpark as its entry point (the project's Containerfile) and run as a user by number that is not root", text)
	case "CreateContainerConfigError":
		// The Secret is made a moment after the Job.
		if !w.lasts(name+"config", w.pace.pulling) {
			return nil
		}
		return fmt.Errorf("%s: the image must run as a user by number that is not root (the project's Containerfile does)", text)
	}
	return nil
}

// room says how a pod without a node could get one.
func (w *watch) room() string {
	cure := fmt.Sprintf("agents ask for %s cores and %s of memory each (--agent-cpu, --agent-memory)", w.run.AgentCPU, w.run.AgentMemory)
	if !w.run.ShareNodes {
		cure += ", on nodes without a pod of the target; --share-nodes lets them be on the same, where they take CPU from what they measure"
	}
	return cure + "; or use fewer agents"
}

func (w *watch) once(key string) bool {
	first := !w.told[key]
	w.told[key] = true
	return first
}

// lasts reports whether a trouble has been seen for so long.
func (w *watch) lasts(key string, d time.Duration) bool {
	if _, ok := w.since[key]; !ok {
		w.since[key] = time.Now()
	}
	return time.Since(w.since[key]) >= d
}

func waits(of []containerStatus) (reason, message string) {
	for _, c := range of {
		if s := c.State.Waiting; s != nil && s.Reason != "ContainerCreating" && s.Reason != "PodInitializing" {
			return s.Reason, s.Message
		}
	}
	return "", ""
}

func unscheduled(p *pod) *condition {
	i := slices.IndexFunc(p.Status.Conditions, func(c condition) bool {
		return c.Type == "PodScheduled" && c.Status == "False" && c.Reason == "Unschedulable"
	})
	if i < 0 || p.Status.Phase != "Pending" {
		return nil
	}
	return &p.Status.Conditions[i]
}

// failure is why a pod ended, in the words of the cluster.
func failure(p *pod) string {
	if p.Status.Reason != "" {
		return strings.TrimSuffix(p.Status.Reason+": "+p.Status.Message, ": ")
	}
	for _, c := range slices.Concat(p.Status.Containers, p.Status.Ephemeral) {
		if s := c.State.Terminated; s != nil {
			return fmt.Sprintf("%s, exit status %d", or(s.Reason, "ended"), s.ExitCode)
		}
	}
	if p.Metadata.DeletionTimestamp != "" {
		return "it was deleted"
	}
	return "no reason is given"
}

// attached reports whether all ephemeral containers run.
func (w *watch) attached(ctx context.Context) (bool, error) {
	for i, c := range w.captured {
		if c.agent == "" {
			continue
		}
		var p pod
		if err := w.client.Get(ctx, &p, "get", "pod", c.pod.Metadata.Name); err != nil {
			return false, w.unheard(ctx, err)
		}
		at := slices.IndexFunc(p.Status.Ephemeral, func(s containerStatus) bool { return s.Name == w.ephemeral(i) })
		if at < 0 {
			return false, nil
		}
		switch s := p.Status.Ephemeral[at].State; {
		case s.Terminated != nil:
			return false, fmt.Errorf("the container that attaches to pod/%s ended: %s, exit status %d: look with `kubectl logs pod/%s --container=%s --namespace=%s`", p.Metadata.Name, or(s.Terminated.Reason, "ended"), s.Terminated.ExitCode, p.Metadata.Name, w.ephemeral(i), w.run.Namespace)
		case s.Running == nil:
			if reason, message := waits(p.Status.Ephemeral[at : at+1]); reason != "" {
				return false, w.waiting(&p, reason, message)
			}
			return false, nil
		}
	}
	return true, nil
}

// transient: the ServiceAccount is made a moment after the Job.
func transient(message string) bool {
	return strings.Contains(message, "error looking up service account")
}

// refusal says what to do about a pod that is not admitted.
func refusal(message string) string {
	switch {
	case strings.Contains(message, "exceeded quota"):
		return "use fewer agents, or smaller ones (--agent-cpu, --agent-memory)"
	case strings.Contains(message, "violates PodSecurity"):
		return "pods of unpark keep to the level restricted: report this"
	}
	return "a rule of the cluster refuses it: what it names has to be changed there"
}

// escaped makes lines safe to print.
type escaped struct {
	w    io.Writer
	line []byte
}

func (e *escaped) Write(p []byte) (int, error) {
	e.line = append(e.line, p...)
	for {
		i := bytes.IndexByte(e.line, '\n')
		if i < 0 {
			break
		}
		_, err := fmt.Fprintln(e.w, escape.Line(string(e.line[:i])))
		e.line = e.line[i+1:]
		if err != nil {
			return len(p), err
		}
	}
	return len(p), nil
}

func (e *escaped) flush() {
	if len(e.line) > 0 {
		_, _ = e.Write([]byte("\n"))
	}
}
