package manifest

import "strings"

// agentPolicy: no connection in; out to the target, the name servers and NATS.
func (r Run) agentPolicy() Object {
	return r.object("networking.k8s.io/v1", "NetworkPolicy", "-agents", policySpec{
		PodSelector: r.pick(agent), PolicyTypes: []string{"Ingress", "Egress"},
		Egress: []egress{r.toTarget(), toNames(), r.toNATS()},
	})
}

// coordinatorPolicy: in from those that join; out to the target's endpoints, the name servers and
// NATS where that is another one. Probes of the kubelet come from the pod's own node, which no
// policy keeps out.
func (r Run) coordinatorPolicy() Object {
	from := []peer{{PodSelector: pointer(r.pick(agent))}}
	if r.Attaches {
		from = append(from, r.target()...)
	}
	s := policySpec{
		PodSelector: r.pick(coordinator), PolicyTypes: []string{"Ingress", "Egress"},
		Egress: []egress{r.toTarget(), toNames()},
	}
	if r.NATS == "" {
		s.Ingress = []ingress{{From: from, Ports: []policyPort{{"TCP", natsPort}}}}
	} else {
		s.Egress = append(s.Egress, r.toNATS())
	}
	return r.object("networking.k8s.io/v1", "NetworkPolicy", "-coordinator", s)
}

// target are the target's pods; those on the network of their node are known by address alone.
func (r Run) target() []peer {
	out := []peer{{PodSelector: pointer(r.Target)}}
	for _, host := range r.TargetHosts {
		bits := "/32"
		if strings.Contains(host, ":") {
			bits = "/128"
		}
		out = append(out, peer{IPBlock: &ipBlock{host + bits}})
	}
	return out
}

func (r Run) toTarget() egress { return egress{To: r.target()} }

// toNATS: a policy cannot name hosts, so that of a NATS elsewhere has its port alone.
func (r Run) toNATS() egress {
	if r.NATS == "" {
		return egress{To: []peer{{PodSelector: pointer(r.pick(coordinator))}}, Ports: []policyPort{{"TCP", natsPort}}}
	}
	return egress{Ports: []policyPort{{"TCP", r.NATSPort}}}
}

// toNames are the cluster's name servers: CoreDNS by its label in every distribution that
// follows kubeadm, OpenShift's, and the cache on the node (NodeLocal DNSCache, its default address).
func toNames() egress {
	system := func(namespace, key, value string) peer {
		return peer{
			NamespaceSelector: &Selector{MatchLabels: map[string]string{"kubernetes.io/metadata.name": namespace}},
			PodSelector:       &Selector{MatchLabels: map[string]string{key: value}},
		}
	}
	return egress{
		To: []peer{
			system("kube-system", "k8s-app", "kube-dns"),
			system("openshift-dns", "dns.operator.openshift.io/daemonset-dns", "default"),
			{IPBlock: &ipBlock{"169.254.20.10/32"}},
		},
		Ports: []policyPort{{"UDP", 53}, {"TCP", 53}, {"UDP", 5353}, {"TCP", 5353}},
	}
}

func pointer[T any](v T) *T { return &v }
