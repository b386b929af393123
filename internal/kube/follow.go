package kube

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/kube/kubectl"
)

// watch is what is known of the pods of a run while it goes on.
type watch struct {
	*session
	began       time.Time
	since       map[string]time.Time // pod and trouble → when it was first seen
	told        map[string]bool
	coordinator string // name of its pod, when it runs
	running     bool   // all pods ran at once
	lost        time.Time
}

// follow looks at the pods until the coordinator's has something to fetch, and returns that
// pod's name; with an error, too, when the pod runs.
func (s *session) follow(ctx context.Context) (string, error) {
	w := &watch{session: s, began: time.Now(), since: map[string]time.Time{}, told: map[string]bool{}}
	logs, stop := context.WithCancel(ctx)
	defer stop()
	for logging := false; ; {
		done, err := w.look(ctx)
		if done || err != nil {
			return w.coordinator, err
		}
		if w.coordinator != "" && !logging {
			logging = true
			ended := make(chan struct{})
			go func() { defer close(ended); s.log(logs, w.coordinator) }()
			defer func() { stop(); <-ended }()
		}
		if err := pause(ctx, s.pace.look); err != nil {
			return w.coordinator, err
		}
	}
}

// look is one look at the pods: whether the run can be fetched, or why it never will be.
func (w *watch) look(ctx context.Context) (done bool, err error) {
	var list struct{ Items []pod }
	if err := w.client.Get(ctx, &list, "get", "pods", "--selector="+w.label()); err != nil {
		return false, w.unheard(ctx, err)
	}
	w.lost = time.Time{}
	var agents, up int
	seen := false
	for i := range list.Items {
		p := &list.Items[i]
		leads := p.Metadata.Labels["app.kubernetes.io/component"] == "coordinator"
		if err := w.judge(p, leads); err != nil {
			return false, err
		}
		runs := p.Status.Phase == "Running"
		if !leads {
			agents++
			up += count(runs)
			continue
		}
		seen = true
		if runs {
			w.coordinator = p.Metadata.Name
		}
		if runs && p.is("Ready") {
			return true, nil
		}
	}
	if w.coordinator != "" && !seen {
		w.coordinator = ""
		return false, fmt.Errorf("the coordinator's pod is gone: it, or job/%s, was deleted by something else, and the run with it", w.run.Name())
	}
	return false, w.progress(ctx, agents, up, seen)
}

// progress waits for pods that are not there yet.
func (w *watch) progress(ctx context.Context, agents, up int, seen bool) error {
	if w.running {
		return nil
	}
	if up == w.run.Agents && w.coordinator != "" {
		attached, err := w.attached(ctx)
		if err != nil {
			return err
		}
		if w.running = attached; attached {
			w.tell("all pods run")
			return nil
		}
	}
	age := time.Since(w.began)
	if (agents < w.run.Agents || !seen) && age > w.pace.lonely {
		if err := w.refused(ctx); err != nil {
			return err
		}
	}
	if age > w.pace.patience {
		return fmt.Errorf("only %d of %d agents run after %s: look with `kubectl get pods --namespace=%s --selector=%s`", up, w.run.Agents, w.pace.patience, w.run.Namespace, w.label())
	}
	return nil
}

// unheard bears with a cluster that does not answer for a while: the run goes on without.
func (w *watch) unheard(ctx context.Context, err error) error {
	var f *kubectl.Failure
	if ctx.Err() != nil || !errors.As(err, &f) || f.Reason != kubectl.Unreachable && f.Reason != kubectl.Late {
		return err
	}
	if w.lost.IsZero() {
		w.lost = time.Now()
		w.tell("the cluster does not answer; the run goes on there: %s", f.Said)
	}
	if time.Since(w.lost) > w.pace.outage {
		return err
	}
	return nil
}

// refused asks why a Job makes no pods: it says so in events alone.
func (w *watch) refused(ctx context.Context) error {
	for _, job := range []string{w.run.Name(), w.run.Name() + "-agents"} {
		var list struct {
			Items []struct {
				Reason  string `json:"reason"`
				Message string `json:"message"`
			} `json:"items"`
		}
		if err := w.client.Get(ctx, &list, "get", "events", "--field-selector=involvedObject.kind=Job,reason=FailedCreate,involvedObject.name="+job); err != nil {
			return w.unheard(ctx, err)
		}
		for _, e := range list.Items {
			if !transient(e.Message) {
				return fmt.Errorf("job/%s can make no pod: %s: %s", job, escape.Prose(e.Message), refusal(e.Message))
			}
		}
	}
	return nil
}

// log shows what the coordinator prints. It is begun anew when it breaks off, from its end.
func (s *session) log(ctx context.Context, name string) {
	out := &escaped{w: s.config.Progress}
	args := []string{"logs", "pod/" + name, "--container=unpark", "--follow"}
	for ctx.Err() == nil {
		_ = s.client.Run(ctx, nil, out, args...) // it is for reading along; the run is fetched without it
		args = []string{"logs", "pod/" + name, "--container=unpark", "--follow", "--since=1s"}
		_ = pause(ctx, s.pace.look)
	}
	out.flush()
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}
