package kube

import (
	"context"
	"strings"
	"testing"

	"github.com/unpark-go/unpark/internal/kube/kubetest"
	"github.com/unpark-go/unpark/internal/kube/manifest"
)

func TestKind(t *testing.T) {
	for target, want := range map[string]string{
		"deploy/a": "deployment", "deployments.apps/a": "deployment", "sts/a": "statefulset", "ds/a": "daemonset", "Pod/a": "pod", "svc/a": "service",
		"a": "", "deploy/": "", "cronjob/a": "", "deploy/a/b": "", "deploy/--all": "",
	} {
		kind, _, err := Kind(target)
		if kind != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v", target, kind, err)
		}
	}
}

func TestQuery(t *testing.T) {
	s := manifest.Selector{
		MatchLabels: map[string]string{"b": "2", "a": "1"},
		MatchExpressions: []manifest.Expression{
			{Key: "c", Operator: "In", Values: []string{"x", "y"}}, {Key: "d", Operator: "NotIn", Values: []string{"z"}}, {Key: "e", Operator: "Exists"}, {Key: "f", Operator: "DoesNotExist"},
		},
	}
	if got, want := query(s), "a=1,b=2,c in (x,y),d notin (z),e,!f"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestChoose(t *testing.T) {
	two := []port{{Name: "http", Number: 80}, {Name: "admin", Number: 81}}
	for _, c := range []struct {
		ports  []port
		wanted string
		number int
		says   string
	}{
		{two[:1], "", 80, ""},
		{two, "admin", 81, ""},
		{two, "81", 81, ""},
		{nil, "9090", 9090, ""},
		{two, "", 0, "several ports: say which with --port: http 80, admin 81"},
		{two, "grpc", 0, `no port "grpc"`},
		{nil, "", 0, "names no port"},
		{two[:1], "9", 0, "no port"},
		{nil, "x", 0, "names no port"},
	} {
		got, err := choose(c.ports, c.wanted, "service/x")
		if got.Number != c.number || (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v, %q: %v, %v", c.ports, c.wanted, got, err)
		}
	}
}

// prepared is what is said, or the error.
func prepared(t *testing.T, c kubetest.Cluster, change func(*Config)) (string, error) {
	t.Helper()
	s := set(t, c)
	change(&s.Config)
	_, err := Prepare(context.Background(), s.Config)
	return s.said(), err
}

func TestAddresses(t *testing.T) {
	loads := func(change func(*kubetest.Cluster, *Config)) (string, error) {
		c := annotatedShop()
		var config func(*Config)
		change(&c, &Config{})
		config = func(into *Config) { change(&kubetest.Cluster{Objects: map[string]any{}}, into) }
		return prepared(t, c, config)
	}
	for name, c := range map[string]struct {
		change func(*kubetest.Cluster, *Config)
		says   string
		fails  string
	}{
		"paths with weights":  {func(_ *kubetest.Cluster, c *Config) { c.URLs = []string{"9*/a", "/b"} }, "9*http://checkout.shop.svc:80/a http://checkout.shop.svc:80/b", ""},
		"a URL of the target": {func(_ *kubetest.Cluster, c *Config) { c.URLs = []string{"http://checkout:80/a"} }, "http://checkout:80/a", ""},
		"another host":        {func(_ *kubetest.Cluster, c *Config) { c.URLs = []string{"http://pay.example/a"} }, "", "pay.example is not the target"},
		"no URL":              {func(_ *kubetest.Cluster, c *Config) { c.URLs = []string{"checkout"} }, "", "neither a path"},
		"no service":          {func(k *kubetest.Cluster, _ *Config) { k.Services = nil }, "load      http://10.1.0.1:8080/ http://10.1.0.2:8080/ by 2 agents", ""},
		"two services": {func(k *kubetest.Cluster, _ *Config) {
			if len(k.Services) > 0 {
				k.Services = append(k.Services, k.Services[0])
			}
		}, "", "several services lead to deployment/checkout"},
		"the service itself":           {func(_ *kubetest.Cluster, c *Config) { c.Target = "service/checkout" }, "load      http://checkout.shop.svc:80/", ""},
		"a pod":                        {func(_ *kubetest.Cluster, c *Config) { c.Target = "pod/checkout-a" }, "load      http://10.1.0.1:8080/", ""},
		"a scheme":                     {func(_ *kubetest.Cluster, c *Config) { c.Scheme = "grpc" }, "grpc://checkout.shop.svc:80/", ""},
		"a workload that is not there": {func(_ *kubetest.Cluster, c *Config) { c.Target = "sts/checkout" }, "", "not found: check the name"},
		"no running pod":               {func(k *kubetest.Cluster, _ *Config) { k.Pods = nil }, "", "has no running pod in namespace shop"},
		"NATS of one's own":            {func(_ *kubetest.Cluster, c *Config) { c.NATS = "nats://nats.infra" }, "may reach port 4222 of any host", ""},
		"a password for NATS":          {func(_ *kubetest.Cluster, c *Config) { c.NATS = "nats://u:p@nats.infra" }, "", "--creds"},
		"NATS without a host":          {func(_ *kubetest.Cluster, c *Config) { c.NATS = "x" }, "", "name it as nats://HOST:PORT"},
	} {
		said, err := loads(c.change)
		if (err == nil) != (c.fails == "") || err != nil && !strings.Contains(err.Error(), c.fails) || !strings.Contains(said, c.says) {
			t.Errorf("%s: %v\n%s", name, err, said)
		}
		if strings.Contains(said, "u:p@") {
			t.Errorf("%s: a password is told", name)
		}
	}
}

func TestDaemonSet(t *testing.T) {
	c := annotatedShop()
	c.Objects["daemonset/checkout"] = c.Objects["deployment/checkout"]
	if _, err := prepared(t, c, func(c *Config) { c.Target = "ds/checkout" }); err == nil || !strings.Contains(err.Error(), "a pod on every node") {
		t.Errorf("agents have no node: %v", err)
	}
	if said, err := prepared(t, c, func(c *Config) { c.Target, c.ShareNodes = "ds/checkout", true }); err != nil || !strings.Contains(said, "where that can be") {
		t.Errorf("shared: %v %s", err, said)
	}
}

// TestAdopted: a workload whose selector fits pods of unpark would take them over.
func TestAdopted(t *testing.T) {
	c := annotatedShop()
	c.Objects["deployment/checkout"].(map[string]any)["spec"].(map[string]any)["selector"] = map[string]any{"matchLabels": map[string]string{"app.kubernetes.io/managed-by": "unpark"}}
	if _, err := prepared(t, c, func(*Config) {}); err == nil || !strings.Contains(err.Error(), "would adopt them") {
		t.Errorf("%v", err)
	}
}

func TestRights(t *testing.T) {
	c := annotatedShop()
	c.Answers = []kubetest.Answer{
		{Call: "^auth can-i create pods --subresource=exec", Stdout: "no\n", Exit: 1},
		{Call: "^auth can-i create networkpolicies.networking.k8s.io", Stdout: "no\n", Exit: 1},
		{Call: "^auth can-i list events", Stderr: "error: it does not say\n", Exit: 1},
	}
	s := set(t, c)
	p, err := Prepare(context.Background(), s.Config)
	check(t, err)
	err = p.Check(context.Background())
	wants(t, err, "create networkpolicies, create pods/exec; nothing was made", "kubectl auth can-i create pods --subresource=exec --namespace=shop")
	if strings.Contains(err.Error(), "events") || len(kubetest.Recorded("created")) > 0 {
		t.Errorf("what the cluster does not tell counts as held: %v", err)
	}
}
