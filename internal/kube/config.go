package kube

import (
	"io"
	"time"
)

// Config says what to run, and where.
type Config struct {
	Target    string // kind/name: deploy, statefulset, daemonset, pod or service
	Context   string // of kubectl; empty: the current one
	Namespace string // empty: that of the context

	Image        string
	PullSecrets  []string
	NodeSelector map[string]string
	Agents       int
	AgentCPU     string
	AgentMemory  string
	ShareNodes   bool
	TTL          time.Duration

	URLs      []string // paths, or URLs of the target itself; a weight as 9*/path
	Port      string   // of the service or the pods, by name or number; empty: the only one
	Scheme    string   // http, https, grpc; empty: by the port's name
	Container string   // of the target, where it has several
	Attach    bool     // pods without an endpoint are attached to
	NATS      string   // the user's own; empty: the coordinator's
	Files     map[string]string
	Load      []string // flags of `unpark run` in the coordinator's pod

	ID       string // of the run; random when empty
	Dir      string // where the run directory goes; it must not exist
	Fleet    Fleet
	Tell     func(line string) // what happens, safe to print; called from one goroutine at a time
	Progress io.Writer         // what the coordinator prints
}

// Fleet says what the pods of a run execute. It is the one place that knows how agents and
// their coordinator are started.
type Fleet func(Session) (Pods, error)

// Session is what a Fleet is asked for.
type Session struct {
	Agents    []string          // names of those that load: the host names of their pods
	Hosts     []string          // that are loaded
	NATS      string            // address of the user's own; empty: the coordinator listens
	Listen    string            // then: where
	Dir       string            // the run directory in the coordinator's pod
	Files     map[string]string // the user's credentials for NATS, by name; may be nil
	Load      []string          // flags of `unpark run`, among them --url
	Endpoints []string          // of the processes to capture
	Attached  []string          // names of the agents inside of pods without an endpoint; the process is number 1 there
	TTL       time.Duration     // after which the cluster ends the run's own pods; those of the target go on
}

// Pods are arguments of unpark, and what the Secret of the run holds.
type Pods struct {
	Coordinator []string
	Agent       []string
	Attach      func(name string) []string
	Secret      map[string]string // files; manifest.CredentialKey is what agents join with
}

// Needs is the least time to live of a run whose load takes so long.
func Needs(load time.Duration) time.Duration { return (load + spare).Round(time.Second) }
