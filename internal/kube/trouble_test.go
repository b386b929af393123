package kube

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark/internal/kube/kubetest"
)

func status(phase string, more ...any) map[string]any {
	s := map[string]any{"phase": phase}
	for i := 0; i+1 < len(more); i += 2 {
		s[more[i].(string)] = more[i+1]
	}
	return s
}

func waiting(reason, message string) map[string]any {
	return status("Pending", "containerStatuses", []any{map[string]any{
		"name": "unpark", "state": map[string]any{"waiting": map[string]string{"reason": reason, "message": message}},
	}})
}

func all(coordinator map[string]any, agents ...map[string]any) []kubetest.Pod {
	out := []kubetest.Pod{{Status: coordinator}}
	for i, a := range agents {
		out = append(out, kubetest.Pod{Agent: i + 1, Status: a})
	}
	return out
}

func TestImage(t *testing.T) {
	c := annotatedShop()
	c.Looks = [][]kubetest.Pod{all(status("Running"), status("Running"), waiting("ImagePullBackOff", `Back-off pulling image "r.example/unpark:1"`))}
	set(t, c).fails("pod/unpark-test-agents-1-x1y2z: ImagePullBackOff", "check --image r.example/unpark:1", "--pull-secret")
}

// TestImageOnce: a registry that fails once is waited for.
func TestImageOnce(t *testing.T) {
	c := annotatedShop()
	up := status("Running")
	ready := status("Running", "conditions", []any{map[string]string{"type": "Ready", "status": "True"}})
	c.Looks = [][]kubetest.Pod{all(up, up, waiting("ErrImagePull", "timeout")), all(up, up, up), all(ready, up, up)}
	s := set(t, c)
	at := fast()
	at.pulling = time.Minute
	_, err := s.run(context.Background(), at)
	check(t, err)
}

func TestEntryPoint(t *testing.T) {
	c := annotatedShop()
	c.Looks = [][]kubetest.Pod{all(waiting("CreateContainerConfigError", "container has runAsNonRoot and image will run as root"), status("Pending"), status("Pending"))}
	set(t, c).fails("runAsNonRoot", "a user by number that is not root")
}

func TestUnschedulable(t *testing.T) {
	c := annotatedShop()
	none := status("Pending", "conditions", []any{map[string]string{
		"type": "PodScheduled", "status": "False", "reason": "Unschedulable",
		"message": "0/3 nodes are available: 2 node(s) didn't satisfy existing pods anti-affinity rules, 1 Insufficient cpu.",
	}})
	c.Looks = [][]kubetest.Pod{all(status("Running"), none, none)}
	s := set(t, c)
	s.fails("finds no node: 0/3 nodes are available", "2 cores and 512Mi of memory each", "--share-nodes")
	if !strings.Contains(s.said(), "pod/unpark-test-agents-0-x1y2z finds no node") {
		t.Errorf("it is not told at once: %s", s.said())
	}
}

func TestEvicted(t *testing.T) {
	up := status("Running")
	gone := status("Failed", "reason", "Evicted", "message", "The node was low on resource: memory.")
	ready := status("Running", "conditions", []any{map[string]string{"type": "Ready", "status": "True"}})
	t.Run("an agent in the middle", func(t *testing.T) {
		c := annotatedShop()
		c.Looks = [][]kubetest.Pod{all(up, up, up), all(up, up, gone), all(up, up, gone), all(ready, up, gone)}
		s := set(t, c)
		_, err := s.run(context.Background(), fast())
		check(t, err)
		s.removed()
		if n := strings.Count(s.said(), "ended: Evicted: The node was low on resource: memory.; its part of the load is void"); n != 1 {
			t.Errorf("told %d times: %s", n, s.said())
		}
	})
	t.Run("an agent before", func(t *testing.T) {
		c := annotatedShop()
		c.Looks = [][]kubetest.Pod{all(up, up, gone)}
		set(t, c).fails("ended before the run began: Evicted")
	})
	t.Run("the coordinator", func(t *testing.T) {
		c := annotatedShop()
		c.Looks = [][]kubetest.Pod{all(up, up, up), all(gone, up, up)}
		set(t, c).fails("the coordinator", "Evicted", "the run is lost")
	})
	t.Run("the coordinator is deleted", func(t *testing.T) {
		c := annotatedShop()
		c.Looks = [][]kubetest.Pod{all(up, up, up), all(up, up, up)[1:]}
		set(t, c).fails("the coordinator's pod is gone")
	})
}

func TestRefusedByAdmission(t *testing.T) {
	event := func(message string) kubetest.Cluster {
		c := annotatedShop()
		c.Looks = [][]kubetest.Pod{{}}
		c.Answers = []kubetest.Answer{{Call: "^get events .*-agents", Stdout: `{"items":[{"reason":"FailedCreate","message":"` + message + `"}]}`}}
		return c
	}
	set(t, event(`Error creating: pods \"unpark-test-agents-0-abcde\" is forbidden: exceeded quota: compute, requested: limits.cpu=2, used: limits.cpu=3, limited: limits.cpu=4`)).
		fails("job/unpark-test-agents can make no pod", "exceeded quota", "use fewer agents")
	set(t, event(`Error creating: admission webhook \"validate.kyverno.svc-fail\" denied the request: no latest`)).
		fails("denied the request: no latest", "a rule of the cluster")
	c := event("Error creating: pods \\\"x\\\" is forbidden: error looking up service account shop/unpark-test: serviceaccount \\\"unpark-test\\\" not found")
	up := status("Running")
	c.Looks = [][]kubetest.Pod{{}, all(status("Running", "conditions", []any{map[string]string{"type": "Ready", "status": "True"}}), up, up)}
	_, err := set(t, c).run(context.Background(), fast())
	check(t, err) // it is there a moment later
}

// TestSilentCluster: the run goes on in the cluster while that does not answer.
func TestSilentCluster(t *testing.T) {
	c := annotatedShop()
	c.Answers = []kubetest.Answer{{
		Call: `^get pods .*instance=`, Skip: 3, Times: 2, Exit: 1,
		Stderr: "E1124 23:39:21.585998   20235 memcache.go:265] noise\nThe connection to the server 10.0.0.1:6443 was refused - did you specify the right host or port?\n",
	}}
	s := set(t, c)
	_, err := s.run(context.Background(), fast())
	check(t, err)
	if !strings.Contains(s.said(), "the cluster does not answer; the run goes on there: The connection to the server 10.0.0.1:6443 was refused") {
		t.Errorf("not told: %s", s.said())
	}
	c.Answers[0].Times = 0
	s = set(t, c)
	at := fast()
	at.outage = 0
	_, err = s.run(context.Background(), at)
	wants(t, err, "was refused", "kubectl cluster-info")
}

func TestFetchAgain(t *testing.T) {
	c := annotatedShop()
	c.Cut = tries - 1
	s := set(t, c)
	_, err := s.run(context.Background(), fast())
	check(t, err)
	s.removed()
	c.Cut = tries
	s = set(t, c)
	s.fails("fetch the run from pod/unpark-test-x1y2z", "before all was there", "stream error")
	if _, err := os.Stat(s.Dir + ".partial"); err == nil {
		t.Error("half of a run is left")
	}
}

func TestFailedRun(t *testing.T) {
	c := annotatedShop()
	c.End.Status, c.End.Said = 4, "the run is void: the generator was the limit"
	s := set(t, c)
	r, err := s.run(context.Background(), fast())
	check(t, err)
	if r.Status != 4 || r.Said != c.End.Said {
		t.Errorf("result %+v", r)
	}
}

func TestInterrupted(t *testing.T) {
	c := annotatedShop()
	up := status("Running")
	c.Looks = [][]kubetest.Pod{all(up, up, up)}
	s := set(t, c)
	ctx, cancel := context.WithCancel(context.Background())
	tell := s.Tell
	s.Tell = func(line string) {
		tell(line)
		if line == "all pods run" {
			cancel()
		}
	}
	r, err := s.run(ctx, fast())
	wants(t, err, "interrupted")
	s.removed()
	if _, err := os.Stat(r.Dir + ".partial/run.json"); err != nil {
		t.Errorf("what there was is not kept: %v", err)
	}

	// Before anything runs there is nothing to fetch.
	c.Looks = [][]kubetest.Pod{all(status("Pending"), status("Pending"))}
	s = set(t, c)
	ctx, cancel = context.WithCancel(context.Background())
	tell = s.Tell
	s.Tell = func(line string) {
		tell(line)
		if strings.HasPrefix(line, "made") {
			cancel()
		}
	}
	_, err = s.run(ctx, fast())
	wants(t, err, "canceled")
	s.removed()
	if len(kubetest.Recorded("hands")) > 0 {
		t.Error("it fetched from a pod that does not run")
	}
}

// TestCannotRemove: what is left is named, with the command that removes it.
func TestCannotRemove(t *testing.T) {
	c := annotatedShop()
	c.Answers = []kubetest.Answer{{Call: "^delete ", Exit: 1, Stderr: `Error from server (Forbidden): jobs.batch "unpark-test" is forbidden: User "eve" cannot delete resource "jobs" in API group "batch" in the namespace "shop"`}}
	_, err := set(t, c).run(context.Background(), fast())
	wants(t, err, "remove job/unpark-test", "it ends by itself within 11m0s", "kubectl delete job unpark-test --namespace=shop")
}

// TestHalfMade: what was made before a call failed is removed.
func TestHalfMade(t *testing.T) {
	c := annotatedShop()
	c.Answers = []kubetest.Answer{{Call: "^create --filename", Skip: 1, Exit: 1, Stderr: `Error from server (Forbidden): error when creating "STDIN": admission webhook "policy.example" denied the request: no Services here`}}
	set(t, c).fails("no Services here", "a rule of the cluster refused it")
}
