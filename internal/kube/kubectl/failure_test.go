package kubectl

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// TestExplain has the words of kubectl 1.32 with Kubernetes 1.37, as they were printed.
func TestExplain(t *testing.T) {
	for name, c := range map[string]struct {
		said   string
		reason Reason
		right  Right
		cure   string
	}{
		"a right": {
			`Error from server (Forbidden): error when creating "STDIN": jobs.batch is forbidden: User "bob" cannot create resource "jobs" in API group "batch" in the namespace "shop"`,
			Forbidden,
			Right{"create", "jobs", "batch", "shop"},
			"`kubectl auth can-i create jobs.batch --namespace=shop`",
		},
		"a right to a subresource": {
			`Error from server (Forbidden): pods "x" is forbidden: User "bob" cannot create resource "pods/exec" in API group "" in the namespace "shop"`,
			Forbidden,
			Right{"create", "pods/exec", "", "shop"},
			"`kubectl auth can-i create pods --subresource=exec --namespace=shop`",
		},
		"pod security": {
			`Error from server (Forbidden): pods "x" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false (container "unpark-a" must set securityContext.allowPrivilegeEscalation=false)`,
			Refused,
			Right{},
			"a rule of the cluster refused it",
		},
		"a quota":       {`Error from server (Forbidden): pods "x" is forbidden: exceeded quota: compute, requested: limits.cpu=2, used: limits.cpu=3, limited: limits.cpu=4`, Refused, Right{}, "--agent-cpu"},
		"a webhook":     {`Error from server: error when creating "STDIN": admission webhook "validate.kyverno.svc-fail" denied the request: no latest`, Refused, Right{}, "a rule"},
		"no object":     {`Error from server (NotFound): deployments.apps "nope" not found`, NotFound, Right{}, "check the name"},
		"no namespace":  {`Error from server (NotFound): error when creating "STDIN": namespaces "nons" not found`, NotFound, Right{}, "--namespace"},
		"no context":    {`error: cannot locate context nope`, NotFound, Right{}, "--context"},
		"no context, 2": {`Error in configuration: context was not found for specified context: nope`, NotFound, Right{}, "--context"},
		"credentials":   {`error: You must be logged in to the server (Unauthorized)`, Unauthorized, Right{}, "log in again"},
		"no cluster": {
			"E1124 23:39:21.585998   20235 memcache.go:265] \"Unhandled Error\" err=\"couldn't get current server API group list: Get \\\"https://127.0.0.1:1/api?timeout=32s\\\": dial tcp 127.0.0.1:1: connect: connection refused\"\nThe connection to the server 127.0.0.1:1 was refused - did you specify the right host or port?",
			Unreachable,
			Right{},
			"kubectl cluster-info",
		},
		"an old cluster": {`Error from server (BadRequest): error when creating "STDIN": Job in version "v1" cannot be handled as a Job: strict decoding error: unknown field "spec.backoffLimitPerIndex"`, Invalid, Right{}, "Kubernetes 1.29"},
		"something else": {"error: it is Tuesday", Unexplained, Right{}, ""},
	} {
		f := explain(&Client{}, []string{"create", "--output=json", "--", "secret"}, "WARNING: version difference between client (1.32) and server (1.37) exceeds the supported minor version skew of +/-1\n"+c.said, errors.New("exit status 1"))
		if f.Reason != c.reason || f.Right != c.right || !strings.Contains(f.Error(), c.cure) {
			t.Errorf("%s: %q, %+v: %v", name, f.Reason, f.Right, f)
		}
		if strings.Contains(f.Error(), "WARNING") || strings.Contains(f.Error(), "memcache") || strings.Contains(f.Error(), "secret") {
			t.Errorf("%s: noise: %v", name, f)
		}
	}
	if f := explain(&Client{}, []string{"get"}, "", context.DeadlineExceeded); f.Reason != Late {
		t.Errorf("late: %+v", f)
	}
}

func TestFlags(t *testing.T) {
	c := &Client{Context: "c", Namespace: "n"}
	got := strings.Join(c.flags([]string{"exec", "pod/x", "--", "unpark", "--context"}), " ")
	if want := "exec pod/x --context=c --namespace=n -- unpark --context"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestTail(t *testing.T) {
	var b tail
	for range 3000 {
		_, _ = b.Write([]byte("0123456789"))
	}
	if n := len(b.String()); n != 8<<10 {
		t.Errorf("%d bytes are kept", n)
	}
}

func TestWithoutKubectl(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := Find(context.Background(), "", ""); err == nil || !strings.Contains(err.Error(), "install it") {
		t.Errorf("%v", err)
	}
}
