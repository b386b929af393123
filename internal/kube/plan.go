package kube

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark/internal/kube/kubectl"
	"github.com/unpark-go/unpark/internal/kube/manifest"
)

// Plan is what a run will do.
type Plan struct {
	config   Config
	client   *kubectl.Client
	target   *workload
	run      manifest.Run
	captured []captured
	urls     []string
	pods     Pods
}

// captured is one pod of the target and how it is captured: by an endpoint, by an ephemeral
// container, or not at all.
type captured struct {
	pod       pod
	address   string // of its endpoint
	container string // to attach to, where it has no endpoint
	agent     string // name of the agent that attaches
	why       string
}

// Prepare reads what is there and says what will be done. It changes nothing. Errors of kubectl
// are *kubectl.Failure.
func Prepare(ctx context.Context, c Config) (*Plan, error) {
	if _, _, err := Kind(c.Target); err != nil {
		return nil, err
	}
	k, err := kubectl.Find(ctx, c.Context, c.Namespace)
	if err != nil {
		return nil, err
	}
	c.Tell(k.String())
	if c.ID == "" {
		c.ID = random()
	}
	p := &Plan{config: c, client: k}
	if p.target, err = survey(ctx, k, c.Target); err != nil {
		return nil, err
	}
	if err := p.placeable(); err != nil {
		return nil, err
	}
	if p.urls, err = p.addresses(); err != nil {
		return nil, err
	}
	if p.captured, err = p.capture(); err != nil {
		return nil, err
	}
	if err := p.compose(); err != nil {
		return nil, err
	}
	p.say()
	return p, nil
}

// random is 8 characters that a DNS label may have.
func random() string {
	b := make([]byte, 5)
	_, _ = rand.Read(b) // it never fails (crypto/rand)
	return strings.ToLower(base32.StdEncoding.EncodeToString(b))
}

// placeable refuses what no scheduler could do.
func (p *Plan) placeable() error {
	if p.target.kind == "daemonset" && !p.config.ShareNodes {
		return fmt.Errorf("%s has a pod on every node, so that no node is left for agents: give them nodes that it leaves out (its nodeSelector or a taint) and name the Service in its place, or share nodes with --share-nodes; the agents then take CPU from what they measure", p.config.Target)
	}
	mine := manifest.Run{ID: p.config.ID}.Labels()
	if len(p.target.selector.MatchExpressions) == 0 && subset(p.target.selector.MatchLabels, mine) {
		return fmt.Errorf("%s chooses its pods by %s, which pods of unpark have as well: it would adopt them", p.config.Target, query(p.target.selector))
	}
	return nil
}

// addresses are the URLs that are loaded: the service's, or those of the pods.
func (p *Plan) addresses() ([]string, error) {
	hosts, scheme, err := p.hosts()
	if err != nil {
		return nil, err
	}
	asked := p.config.URLs
	if len(asked) == 0 {
		asked = []string{"/"}
	}
	var out []string
	for _, a := range asked {
		weight, path := "", a
		if before, after, ok := strings.Cut(a, "*"); ok {
			if _, err := strconv.Atoi(before); err == nil {
				weight, path = before+"*", after
			}
		}
		if strings.HasPrefix(path, "/") {
			for _, h := range hosts {
				out = append(out, weight+scheme+"://"+h+path)
			}
			continue
		}
		if err := p.own(path); err != nil {
			return nil, err
		}
		out = append(out, weight+path)
	}
	return out, nil
}

// own refuses a URL of something else: the policy lets the agents reach nothing but the target.
func (p *Plan) own(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return fmt.Errorf("--url %q is neither a path, such as /checkout, nor a URL", text)
	}
	var names []string
	if s := p.target.service; s != nil {
		name := s.Metadata.Name + "." + p.client.Namespace
		names = []string{name + ".svc", s.Metadata.Name, name, name + ".svc.cluster.local", s.Spec.ClusterIP}
	}
	for _, one := range p.target.pods {
		names = append(names, one.Status.IP)
	}
	if slices.Contains(names, u.Hostname()) {
		return nil
	}
	return fmt.Errorf("--url %s: %s is not the target: the agents may reach its pods and nothing else; give a path, such as %s, or the host %s", u.Redacted(), u.Hostname(), or(u.Path, "/"), names[0])
}

// loaded are the hosts of the URLs.
func (p *Plan) loaded() []string {
	var out []string
	for _, text := range p.urls {
		_, address, weighted := strings.Cut(text, "*")
		if !weighted {
			address = text
		}
		if u, err := url.Parse(address); err == nil && !slices.Contains(out, u.Hostname()) {
			out = append(out, u.Hostname())
		}
	}
	return out
}

func (p *Plan) hosts() (hosts []string, scheme string, err error) {
	if s := p.target.service; s != nil {
		one, err := choose(s.Spec.Ports, p.config.Port, "service/"+s.Metadata.Name)
		if err != nil {
			return nil, "", err
		}
		host := s.Metadata.Name + "." + p.client.Namespace + ".svc"
		return []string{host + ":" + strconv.Itoa(one.Number)}, p.scheme(one), nil
	}
	for _, each := range p.target.pods {
		var ports []port
		for _, c := range each.Spec.Containers {
			for _, d := range c.Ports {
				ports = append(ports, port{Name: d.Name, Number: d.Number})
			}
		}
		one, err := choose(ports, p.config.Port, "pod/"+each.Metadata.Name)
		if err != nil {
			return nil, "", err
		}
		scheme = p.scheme(one)
		hosts = append(hosts, net.JoinHostPort(each.Status.IP, strconv.Itoa(one.Number)))
	}
	return hosts, scheme, nil
}

// scheme follows what the API has words for: appProtocol, and names that begin with one.
func (p *Plan) scheme(one port) string {
	for _, word := range []string{one.AppProtocol, one.Name} {
		switch {
		case p.config.Scheme != "":
			return p.config.Scheme
		case strings.HasPrefix(word, "https"):
			return "https"
		case strings.HasPrefix(word, "grpc"):
			return "grpc"
		}
	}
	if one.Number == 443 && p.config.Scheme == "" {
		return "https"
	}
	return or(p.config.Scheme, "http")
}

func or(s, usual string) string {
	if s == "" {
		return usual
	}
	return s
}
