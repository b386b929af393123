package kube

import (
	"context"
	"strings"
	"testing"

	"github.com/unpark-go/unpark/internal/kube/kubetest"
)

func someAnnotated() kubetest.Cluster {
	return kubetest.Shop(kubetest.Annotated("6060"), map[string]string{})
}

func TestSomeAnnotated(t *testing.T) {
	s := set(t, someAnnotated())
	_, err := Prepare(context.Background(), s.Config)
	check(t, err)
	if !strings.Contains(s.said(), "pod/checkout-b on node-2: not captured: no annotation profiles.grafana.com/") {
		t.Errorf("the pod that is not captured is not told: %s", s.said())
	}
}

func TestNoneAnnotated(t *testing.T) {
	s := set(t, kubetest.Shop(map[string]string{}))
	_, err := Prepare(context.Background(), s.Config)
	wants(t, err, "no pod of deploy/checkout can be captured", `profiles.grafana.com/cpu.scrape: "true"`, "--allow-attach")
}

func TestAttach(t *testing.T) {
	c := someAnnotated()
	pod := c.Objects["pod/checkout-b"].(map[string]any)
	pod["status"].(map[string]any)["ephemeralContainerStatuses"] = []any{map[string]any{
		"name": "unpark-test-1", "state": map[string]any{"running": map[string]string{}},
	}}
	s := set(t, c)
	s.Attach = true
	_, err := s.run(context.Background(), fast())
	check(t, err)
	s.removed()
	calls := strings.Join(kubetest.Recorded("calls"), "\n")
	want := "debug pod/checkout-b --image=r.example/unpark:1 --target=checkout --container=unpark-test-1 --profile=general --custom="
	if !strings.Contains(calls, want) || !strings.Contains(calls, "-- /usr/local/bin/unpark agent unpark-test-attach-1") || strings.Contains(calls, "debug pod/checkout-a") {
		t.Errorf("calls:\n%s", calls)
	}
	part := strings.Join(kubetest.Recorded("debug"), "")
	for _, want := range []string{`"add":["SYS_PTRACE","PERFMON"],"drop":["ALL"]`, `"secretKeyRef":{"name":"unpark-test","key":"join"}`} {
		if !strings.Contains(part, want) {
			t.Errorf("container lacks %s: %s", want, part)
		}
	}
	if strings.Contains(part, "secret-word") {
		t.Error("the credential is in the pod's description")
	}
}

func TestAttachRefused(t *testing.T) {
	c := someAnnotated()
	c.Answers = []kubetest.Answer{{Call: "^debug ", Exit: 1, Stderr: `Error from server (Forbidden): pods "checkout-b" is forbidden: violates PodSecurity "restricted:latest": unrestricted capabilities (container "unpark-test-1" must not include "PERFMON", "SYS_PTRACE" in securityContext.capabilities.add)`}}
	s := set(t, c)
	s.Attach = true
	s.fails("violates PodSecurity", "kubectl label namespace shop pod-security.kubernetes.io/enforce=privileged", "or give the pods an endpoint")
}

func TestAttachEnds(t *testing.T) {
	c := someAnnotated()
	pod := c.Objects["pod/checkout-b"].(map[string]any)
	pod["status"].(map[string]any)["ephemeralContainerStatuses"] = []any{map[string]any{
		"name": "unpark-test-1", "state": map[string]any{"terminated": map[string]any{"reason": "Error", "exitCode": 1}},
	}}
	up := status("Running")
	c.Looks = [][]kubetest.Pod{all(up, up, up)}
	s := set(t, c)
	s.Attach = true
	s.fails("the container that attaches to pod/checkout-b ended: Error, exit status 1", "kubectl logs pod/checkout-b --container=unpark-test-1")
}

func TestContainer(t *testing.T) {
	p := &Plan{}
	var one pod
	one.Spec.Containers = []podContainer{{Name: "a"}, {Name: "b"}}
	if _, err := p.container(&one); err == nil || !strings.Contains(err.Error(), "--container") {
		t.Errorf("two containers: %v", err)
	}
	one.Metadata.Annotations = map[string]string{"kubectl.kubernetes.io/default-container": "b"}
	if got, err := p.container(&one); got != "b" || err != nil {
		t.Errorf("the default container: %q, %v", got, err)
	}
	p.config.Container = "c"
	if _, err := p.container(&one); err == nil {
		t.Error("a container that is not there")
	}
	one.Spec.SharesPIDs = true
	if _, err := p.container(&one); err == nil || !strings.Contains(err.Error(), "process namespace") {
		t.Errorf("one namespace for all: %v", err)
	}
}
