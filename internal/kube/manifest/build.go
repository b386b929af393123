package manifest

// The components of a run.
const (
	coordinator = "coordinator"
	agent       = "agent"
)

// Coordinator returns the Job that owns all other objects. It ends when the run's
// files are fetched or its time is up, and is removed, with all that it owns, a minute later.
func Coordinator(r Run) Object {
	never := 0
	c := r.container(r.Coordinator, resources{
		Requests: map[string]string{"cpu": "500m", "memory": "512Mi"},
		Limits:   map[string]string{"memory": "1Gi"},
	})
	c.WorkingDir = RunsDir
	c.Ports = []containerPort{{"nats", natsPort}, {"ready", ReadyPort}}
	// Ready means that there is something to fetch: the only word of the pod that needs no
	// right and no connection that is held.
	c.ReadinessProbe = &readiness{TCPSocket: socket{"ready"}, PeriodSeconds: 2, FailureThreshold: 1}
	c.VolumeMounts = append(c.VolumeMounts, mount{Name: "runs", MountPath: RunsDir})
	pod := r.pod(coordinator, c, secretVolume{SecretName: r.Name()}, "256Mi")
	pod.Spec.Volumes = append(pod.Spec.Volumes, volume{Name: "runs", EmptyDir: &emptyDir{"4Gi"}})
	return r.object("batch/v1", "Job", "", jobSpec{
		Completions: 1, Parallelism: 1, BackoffLimit: &never, Template: pod,
		ActiveDeadlineSeconds: int(r.TTL.Seconds()), TTLSecondsAfterFinished: int(afterwards.Seconds()),
	})
}

// Others returns the other objects, owned by the Job with this uid, in the order in which
// they are created. Without a uid they have no owner: what is printed for later has none yet.
func Others(r Run, uid string) []Object {
	out := []Object{r.account(), r.secret(), r.service(), r.coordinatorPolicy(), r.agentPolicy(), r.agents()}
	if uid != "" {
		for i := range out {
			out[i].Metadata.OwnerReferences = []reference{{APIVersion: "batch/v1", Kind: "Job", Name: r.Name(), UID: uid}}
		}
	}
	return out
}

// agents are pods of one Job, an index each. One that fails is not started again: a
// generator that begins late has another plan than the rest.
func (r Run) agents() Object {
	never := 0
	c := r.container(r.Agent, resources{
		// Requests equal to limits: the last to be evicted.
		Requests: map[string]string{"cpu": r.AgentCPU, "memory": r.AgentMemory},
		Limits:   map[string]string{"cpu": r.AgentCPU, "memory": r.AgentMemory},
	})
	c.Env = []variable{{Name: "UNPARK_NATS", Value: r.address()}}
	pod := r.pod(agent, c, secretVolume{SecretName: r.Name(), Items: []item{{CredentialKey, CredentialKey}}}, "1Gi")
	pod.Spec.TopologySpreadConstraints = []spread{{
		MaxSkew: 1, TopologyKey: byNode, WhenUnsatisfiable: "ScheduleAnyway", LabelSelector: r.pick(agent),
	}}
	return r.object("batch/v1", "Job", "-agents", jobSpec{
		CompletionMode: "Indexed", Completions: r.Agents, Parallelism: r.Agents, BackoffLimitPerIndex: &never, Template: pod,
		ActiveDeadlineSeconds: int(r.TTL.Seconds()), TTLSecondsAfterFinished: int(afterwards.Seconds()),
	})
}

func (r Run) address() string {
	if r.NATS != "" {
		return r.NATS
	}
	return "nats://" + r.Host() + ":" + decimal(natsPort)
}

// account has no role bound to it and no token mounted: no pod of a run talks to the API.
func (r Run) account() Object {
	no := false
	o := r.object("v1", "ServiceAccount", "", nil)
	o.AutomountServiceAccountToken = &no
	return o
}

func (r Run) secret() Object {
	o := r.object("v1", "Secret", "", nil)
	o.Type, o.StringData = "Opaque", r.Secret
	return o
}

// service has no address of its own: its name is that of the coordinator's pod, which is
// found long before it is ready.
func (r Run) service() Object {
	return r.object("v1", "Service", "", serviceSpec{
		ClusterIP: "None", PublishNotReadyAddresses: true, Selector: r.pick(coordinator).MatchLabels,
		Ports: []servicePort{{"nats", natsPort, "nats"}},
	})
}
