package manifest

import "strconv"

const (
	byNode   = "kubernetes.io/hostname"
	natsPort = 4222 // registered for NATS
)

// Listen is where the coordinator's NATS listens.
func (r Run) Listen() string { return "0.0.0.0:" + decimal(natsPort) }

// Names are the host names of the agents' pods, which the Job gives them
// (https://kubernetes.io/docs/concepts/workloads/controllers/job/#completion-mode).
func (r Run) Names() []string {
	var out []string
	for i := range r.Agents {
		out = append(out, r.Name()+"-agents-"+decimal(i))
	}
	return out
}

func decimal(n int) string { return strconv.Itoa(n) }

// container is what both kinds of pods run: within the pod security level "restricted".
func (r Run) container(args []string, size resources) container {
	no := false
	return container{
		Name: "unpark", Image: r.Image, Args: args, Resources: size,
		SecurityContext: containerSecurity{
			AllowPrivilegeEscalation: &no, ReadOnlyRootFilesystem: true, Capabilities: capabilities{Drop: []string{"ALL"}},
		},
		VolumeMounts: []mount{{"credential", CredentialDir, true}, {Name: "tmp", MountPath: "/tmp"}},
	}
}

// pod is the template of one component. The image says which user it runs as, a number
// other than root; where the cluster chooses one (OpenShift), that works, too.
func (r Run) pod(component string, c container, secret secretVolume, tmp string) template {
	spec := podSpec{
		ServiceAccountName: r.Name(), RestartPolicy: "Never", TerminationGracePeriodSeconds: 20,
		NodeSelector:    r.NodeSelector,
		SecurityContext: podSecurity{RunAsNonRoot: true, SeccompProfile: seccomp{"RuntimeDefault"}},
		Affinity:        affinity{r.away()},
		Containers:      []container{c},
		Volumes: []volume{
			{Name: "credential", Secret: &secret},
			{Name: "tmp", EmptyDir: &emptyDir{tmp}},
		},
	}
	for _, name := range r.PullSecrets {
		spec.ImagePullSecrets = append(spec.ImagePullSecrets, named{name})
	}
	return template{
		Metadata: meta{
			Labels: r.component(component),
			// The autoscaler would move the pod in the middle of a window.
			Annotations: map[string]string{"cluster-autoscaler.kubernetes.io/safe-to-evict": "false"},
		},
		Spec: spec,
	}
}

// away keeps the pods of the run from the target's nodes: a generator beside the target
// takes what it measures.
func (r Run) away() antiAffinity {
	t := term{r.Target, byNode}
	if r.ShareNodes {
		return antiAffinity{Preferred: []weightedTerm{{100, t}}}
	}
	return antiAffinity{Required: []term{t}}
}
