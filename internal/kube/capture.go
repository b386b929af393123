package kube

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/kube/manifest"
)

// capture says for each pod of the target how it is captured.
func (p *Plan) capture() ([]captured, error) {
	var out []captured
	some := false
	for i, one := range p.target.pods {
		c := captured{pod: one}
		c.address, c.why = endpoint(&one)
		if c.address == "" && p.config.Attach {
			var err error
			if c.container, err = p.container(&one); err != nil {
				c.why = err.Error()
			} else {
				c.agent = manifest.Run{ID: p.config.ID}.Name() + "-attach-" + strconv.Itoa(i)
			}
		}
		some = some || c.address != "" || c.agent != ""
		out = append(out, c)
	}
	if !some {
		cure := "or attach to the processes with --allow-attach, which puts a container with CAP_SYS_PTRACE into each pod"
		if p.config.Attach {
			cure = "then repeat the command"
		}
		return nil, fmt.Errorf("no pod of %s can be captured: %s: %s: annotate its pods with %scpu.scrape: \"true\" and %scpu.port: \"6060\" where they serve net/http/pprof or the probe, %s", p.config.Target, p.target.pods[0].Metadata.Name, escape.Prose(out[0].why), prefix, prefix, cure)
	}
	return out, nil
}

// container chooses the one whose process is read. It is number 1 in the process namespace of
// the container, unless the pod has one for all.
func (p *Plan) container(one *pod) (string, error) {
	if one.Spec.SharesPIDs {
		return "", errors.New("the pod shares one process namespace among its containers, in which the service has no known number; give it an endpoint")
	}
	name := or(p.config.Container, one.Metadata.Annotations["kubectl.kubernetes.io/default-container"])
	if name == "" && len(one.Spec.Containers) == 1 {
		name = one.Spec.Containers[0].Name
	}
	for _, c := range one.Spec.Containers {
		if c.Name == name {
			return name, nil
		}
	}
	if name == "" {
		return "", fmt.Errorf("the pod has %d containers: name the service's with --container", len(one.Spec.Containers))
	}
	return "", fmt.Errorf("the pod has no container %q", name)
}

// compose makes the objects' description of what the fleet and the target ask for.
func (p *Plan) compose() error {
	c := p.config
	r := manifest.Run{
		ID: c.ID, Namespace: p.client.Namespace, Image: c.Image, PullSecrets: c.PullSecrets, Agents: c.Agents,
		Target: p.target.selector, ShareNodes: c.ShareNodes, NodeSelector: c.NodeSelector,
		NATS: c.NATS, TTL: c.TTL, AgentCPU: c.AgentCPU, AgentMemory: c.AgentMemory,
	}
	s := Session{
		Agents: r.Names(), Hosts: p.loaded(), NATS: c.NATS, Listen: r.Listen(), Dir: manifest.RunsDir + "/run", Files: c.Files, TTL: c.TTL,
	}
	for _, u := range p.urls {
		s.Load = append(s.Load, "--url="+u)
	}
	s.Load = append(s.Load, c.Load...)
	for _, one := range p.captured {
		switch {
		case one.address != "":
			s.Endpoints = append(s.Endpoints, one.address)
		case one.agent != "":
			s.Attached = append(s.Attached, one.agent)
			r.Attaches = true
		}
		if one.pod.Spec.HostNetwork {
			r.TargetHosts = append(r.TargetHosts, one.pod.Status.IP)
		}
	}
	pods, err := c.Fleet(s)
	if err != nil {
		return err
	}
	if c.NATS != "" {
		if r.NATSPort, err = portOf(c.NATS); err != nil {
			return err
		}
	}
	orders, err := encode(orders{Args: pods.Coordinator, Dir: s.Dir})
	if err != nil {
		return err
	}
	r.Secret = map[string]string{ordersFile: orders}
	for name, text := range pods.Secret {
		r.Secret[name] = text
	}
	r.Coordinator = []string{"kube", "pod", "--orders", manifest.CredentialDir + "/" + ordersFile}
	r.Agent = pods.Agent
	p.run, p.pods = r, pods
	return nil
}
