package kube

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/kube/manifest"
)

func (p *Plan) tell(format string, args ...any) {
	p.config.Tell(escape.Line(fmt.Sprintf(format, args...)))
}

// say tells the plan, before anything is done.
func (p *Plan) say() {
	var urls []string
	for _, u := range p.urls {
		urls = append(urls, unpark.RedactURL(u))
	}
	away := "on other nodes than the target's"
	if p.config.ShareNodes {
		away = "away from the target's nodes where that can be"
	}
	p.tell("load      %s by %s, %s", strings.Join(urls, " "), unpark.Counted(int64(p.run.Agents), "agent"), away)
	if p.target.service == nil {
		p.tell("          no service leads to the pods: each is loaded by its address")
	}
	for _, c := range p.captured {
		p.tell("capture   pod/%s on %s: %s", c.pod.Metadata.Name, or(c.pod.Spec.NodeName, "no node"), c.how())
	}
	p.tell("makes     %s in namespace %s", p.names(), p.run.Namespace)
	if p.run.Attaches {
		p.tell("          an ephemeral container in each pod that is attached to: root with SYS_PTRACE and PERFMON; it ends by itself a minute after its task, and after --ttl in any case, but stays listed until the pod is replaced")
	}
	if p.run.NATS != "" {
		p.tell("          NATS at %s: pods of the run may reach port %d of any host, because a NetworkPolicy cannot name hosts", unpark.RedactURL(p.run.NATS), p.run.NATSPort)
	}
	p.tell("removes   all of it at the end and on Ctrl-C; the cluster does within %s if unpark is gone by then", p.run.TTL+afterwards)
}

func (c captured) how() string {
	switch {
	case c.address != "" && c.why != "":
		return c.address + " (" + c.why + ")"
	case c.address != "":
		return c.address
	case c.agent != "":
		return "attached to container " + c.container + " (" + c.why + ")"
	}
	return "not captured: " + c.why
}

func (p *Plan) names() string {
	var out []string
	for _, o := range p.objects("") {
		out = append(out, o.Name())
	}
	return strings.Join(out, ", ")
}

// objects are all of the run, the owner first.
func (p *Plan) objects(uid string) []manifest.Object {
	return append([]manifest.Object{manifest.Coordinator(p.run)}, manifest.Others(p.run, uid)...)
}

// Print writes the objects as YAML, for kubectl create. They have no owner then, which is
// known when the first of them was made.
func (p *Plan) Print(w io.Writer) error {
	if p.run.Attaches {
		return errors.New("print: attaching is a command to kubectl and no object: give the pods an endpoint, or leave --print away")
	}
	text, err := manifest.YAML(p.objects("")...)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "# Made by unpark. The Secret holds the credential of this run. To remove what is not removed by itself:\n# kubectl delete jobs,secrets,services,serviceaccounts,networkpolicies --namespace=%s --selector=%s\n%s", p.run.Namespace, p.label(), text)
	return err
}

func (p *Plan) label() string { return "app.kubernetes.io/instance=" + p.run.Name() }

func portOf(address string) (int, error) {
	u, err := url.Parse(address)
	switch {
	case err == nil && u.User != nil:
		return 0, errors.New("--nats: leave the user and password away, which would be seen in the pods' command lines: name a file with credentials by --creds")
	case err != nil || u.Hostname() == "":
		return 0, fmt.Errorf("--nats %q: name it as nats://HOST:PORT", unpark.RedactURL(address))
	}
	if u.Port() == "" {
		return 4222, nil
	}
	return strconv.Atoi(u.Port())
}
