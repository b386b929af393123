package manifest

import (
	"maps"
	"time"
)

// Run is what one run needs of a cluster.
type Run struct {
	ID          string // a DNS label of 20 characters at most; every object is named unpark-ID
	Namespace   string // the target's
	Image       string
	PullSecrets []string
	Agents      int

	Target       Selector // the target's pods, which the pods of the run stay away from and may reach
	TargetHosts  []string // addresses of those that are on their node's own network
	ShareNodes   bool     // pods of the run may be on a node of the target where there is no other
	NodeSelector map[string]string

	Coordinator []string          // arguments of unpark in its pod
	Agent       []string          // arguments of unpark in the pod of an agent; $(UNPARK_NATS) is the address
	Secret      map[string]string // files in CredentialDir; agents see CredentialKey alone
	NATS        string            // what agents join; empty: the coordinator
	NATSPort    int               // of it
	Attaches    bool              // containers in the target's pods join, too

	TTL         time.Duration // the run's end, whether or not anything is left to end it
	AgentCPU    string        // quantities of the API
	AgentMemory string
}

// Places and names that are the same in every run.
const (
	CredentialDir = "/etc/unpark"
	CredentialKey = "join" // the file in it that agents join with
	RunsDir       = "/runs"
	ReadyPort     = 8080 // the coordinator's: open when there is something to fetch
	afterwards    = time.Minute
)

// Name is what the objects of a run begin with, and the name of the Job that owns them.
func (r Run) Name() string { return "unpark-" + r.ID }

// Host is the name under which the pods of the run find its coordinator.
func (r Run) Host() string { return r.Name() + "." + r.Namespace + ".svc" }

// Labels are on every object of the run; those with a component on pods, too.
func (r Run) Labels() map[string]string {
	return map[string]string{
		"app.kubernetes.io/name":       "unpark",
		"app.kubernetes.io/managed-by": "unpark",
		"app.kubernetes.io/instance":   r.Name(),
	}
}

func (r Run) component(name string) map[string]string {
	l := maps.Clone(r.Labels())
	l["app.kubernetes.io/component"] = name
	return l
}

// pick chooses the pods of one component of this run.
func (r Run) pick(name string) Selector {
	return Selector{MatchLabels: map[string]string{
		"app.kubernetes.io/instance": r.Name(), "app.kubernetes.io/component": name,
	}}
}

func (r Run) object(apiVersion, kind, suffix string, spec any) Object {
	return Object{
		APIVersion: apiVersion, Kind: kind, Spec: spec,
		Metadata: meta{Name: r.Name() + suffix, Namespace: r.Namespace, Labels: r.Labels()},
	}
}
