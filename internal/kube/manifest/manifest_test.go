package manifest

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

var update = flag.Bool("update", false, "write the golden files")

// TestYAML: the objects of two runs, as they are printed.
func TestYAML(t *testing.T) {
	for name, r := range runs() {
		objects := append([]Object{Coordinator(r)}, Others(r, "f1e2")...)
		got, err := YAML(objects...)
		check(t, err)
		file := "testdata/" + name + ".yaml"
		if *update {
			check(t, os.WriteFile(file, got, 0o644))
		}
		want, err := os.ReadFile(file)
		check(t, err)
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what is printed: go test ./internal/kube/manifest -run TestYAML -update", file)
		}
		same(t, got, objects)
	}
}

// same: YAML says the same as JSON.
func same(t *testing.T, text []byte, objects []Object) {
	t.Helper()
	d := yaml.NewDecoder(bytes.NewReader(text))
	for _, o := range objects {
		var fromYAML, fromJSON any
		check(t, d.Decode(&fromYAML))
		one, err := json.Marshal(o)
		check(t, err)
		again, err := json.Marshal(fromYAML)
		check(t, err)
		check(t, json.Unmarshal(one, &fromJSON))
		check(t, json.Unmarshal(again, &fromYAML))
		if !reflect.DeepEqual(fromYAML, fromJSON) {
			t.Errorf("%s: YAML %s, JSON %s", o.Name(), again, one)
		}
	}
}

// TestRestricted: the pods keep to what the pod security level "restricted" asks for
// (https://kubernetes.io/docs/concepts/security/pod-security-standards/), and no token is in them.
func TestRestricted(t *testing.T) {
	for name, r := range runs() {
		for _, o := range append([]Object{Coordinator(r)}, Others(r, "")...) {
			job, ok := o.Spec.(jobSpec)
			if !ok {
				continue
			}
			p := job.Template.Spec
			c := p.Containers[0].SecurityContext
			switch {
			case !p.SecurityContext.RunAsNonRoot, p.SecurityContext.SeccompProfile.Type != "RuntimeDefault":
				t.Errorf("%s: %s: the pod's security context", name, o.Name())
			case *c.AllowPrivilegeEscalation, !c.ReadOnlyRootFilesystem, len(c.Capabilities.Add) > 0, !slices.Equal(c.Capabilities.Drop, []string{"ALL"}):
				t.Errorf("%s: %s: the container's security context", name, o.Name())
			case p.AutomountServiceAccountToken:
				t.Errorf("%s: %s: a token is mounted", name, o.Name())
			case p.Containers[0].Resources.Limits["memory"] == "", p.Containers[0].Resources.Requests["cpu"] == "":
				t.Errorf("%s: %s: resources are not set", name, o.Name())
			}
			for _, v := range p.Volumes {
				if v.EmptyDir == nil && v.Secret == nil || v.EmptyDir != nil && v.EmptyDir.SizeLimit == "" {
					t.Errorf("%s: %s: volume %s", name, o.Name(), v.Name)
				}
			}
		}
	}
}

// TestAway: the target's nodes are excluded, or avoided where they may be shared.
func TestAway(t *testing.T) {
	r := runs()["usual"]
	if a := r.away(); len(a.Required) != 1 || len(a.Preferred) != 0 || !reflect.DeepEqual(a.Required[0].LabelSelector, r.Target) {
		t.Errorf("%+v", a)
	}
	r.ShareNodes = true
	if a := r.away(); len(a.Required) != 0 || len(a.Preferred) != 1 {
		t.Errorf("shared: %+v", a)
	}
}

// TestPolicies: agents reach the target, the name servers and NATS, and nothing reaches them.
func TestPolicies(t *testing.T) {
	r := runs()["usual"]
	p := r.agentPolicy().Spec.(policySpec)
	if len(p.Ingress) != 0 || !slices.Contains(p.PolicyTypes, "Ingress") || len(p.Egress) != 3 {
		t.Errorf("agents: %+v", p)
	}
	for _, e := range p.Egress {
		if len(e.To) == 0 {
			t.Errorf("agents may reach anything: %+v", e)
		}
	}
	text, err := json.Marshal(r.coordinatorPolicy())
	check(t, err)
	if strings.Contains(string(text), `"from":[{"podSelector":{"matchLabels":{"app":"checkout"}}`) {
		t.Error("the target may reach the coordinator although nothing attaches")
	}
	r.Attaches = true
	c := r.coordinatorPolicy().Spec.(policySpec)
	if len(c.Ingress[0].From) != 2 {
		t.Errorf("who attaches cannot join: %+v", c.Ingress)
	}
	r.NATS, r.NATSPort = "nats://elsewhere", 4333
	if c := r.coordinatorPolicy().Spec.(policySpec); len(c.Ingress) != 0 {
		t.Errorf("NATS is elsewhere: %+v", c.Ingress)
	}
}

// TestCredential: agents see their credential and not the orders.
func TestCredential(t *testing.T) {
	r := runs()["usual"]
	v := r.agents().Spec.(jobSpec).Template.Spec.Volumes[0]
	if len(v.Secret.Items) != 1 || v.Secret.Items[0].Key != CredentialKey {
		t.Errorf("%+v", v.Secret)
	}
}
