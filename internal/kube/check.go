package kube

import (
	"context"
	"fmt"
	"strings"

	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/kube/kubectl"
	"github.com/unpark-go/unpark/internal/kube/manifest"
)

// rights are what the user's role must grant in the namespace. Nothing is asked of the cluster
// as a whole, and no Secret is read.
func (p *Plan) rights() []kubectl.Right {
	out := []kubectl.Right{
		{Verb: "create", Resource: "jobs", Group: "batch"},
		{Verb: "list", Resource: "jobs", Group: "batch"},
		{Verb: "delete", Resource: "jobs", Group: "batch"},
		{Verb: "create", Resource: "secrets"},
		{Verb: "create", Resource: "services"},
		{Verb: "create", Resource: "serviceaccounts"},
		{Verb: "create", Resource: "networkpolicies", Group: "networking.k8s.io"},
		{Verb: "list", Resource: "pods"},
		{Verb: "get", Resource: "pods"},
		{Verb: "get", Resource: "pods/log"},
		{Verb: "create", Resource: "pods/exec"},
		{Verb: "get", Resource: "pods/exec"}, // over WebSockets, kubectl 1.31 and later
		{Verb: "list", Resource: "events"},
	}
	if p.run.Attaches {
		out = append(out, kubectl.Right{Verb: "patch", Resource: "pods/ephemeralcontainers"})
	}
	return out
}

// Check asks for the rights that the run needs, all at once, and has the cluster validate the
// objects without making them.
func (p *Plan) Check(ctx context.Context) error {
	missing, err := p.client.Missing(ctx, p.rights()...)
	if err != nil {
		return err
	}
	if len(missing) > 0 {
		var what, how []string
		for _, r := range missing {
			what = append(what, r.Verb+" "+r.Resource)
			how = append(how, "  "+escape.Prose(r.Check()))
		}
		return fmt.Errorf("rights are missing in namespace %s: %s; nothing was made. Check with\n%s\nand see docs/kube.md for the Role to ask for", p.run.Namespace, strings.Join(what, ", "), strings.Join(how, "\n"))
	}
	text, err := manifest.JSON(p.objects("")...)
	if err != nil {
		return err
	}
	return p.client.Send(ctx, text, nil, "create", "--dry-run=server", "--validate=strict", "--filename=-")
}
