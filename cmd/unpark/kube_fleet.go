package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/unpark-go/unpark/internal/fleet/hub"
	"github.com/unpark-go/unpark/internal/kube"
	"github.com/unpark-go/unpark/internal/kube/manifest"
)

// attachedIdle is how long an agent in a pod of the target stays when its task is done: a run that asks for another does so at once.
const attachedIdle = time.Minute

// kubeFleet says how agents and their coordinator are started in pods.
func kubeFleet(s kube.Session) (kube.Pods, error) {
	credential := "--creds=" + manifest.CredentialDir + "/" + manifest.CredentialKey
	p := kube.Pods{Secret: s.Files}
	join := []string{"agent", "--join=$(UNPARK_NATS)"}
	p.Agent = append(join[:2:2], credential)
	names := append([]string{}, s.Agents...)
	p.Coordinator = []string{"run", "--out=" + s.Dir, "--agents-wait=" + kube.Patience.String()}
	for _, host := range s.Hosts {
		// The user named the workload, and these are its addresses: agents load nothing else.
		p.Agent = append(p.Agent, "--allow="+host)
		p.Coordinator = append(p.Coordinator, "--i-may-load="+host)
	}
	if s.NATS != "" {
		p.Coordinator = append(p.Coordinator, "--nats="+s.NATS, credential)
	} else {
		var err error
		if p.Secret, err = kubeIdentity(); err != nil {
			return p, fmt.Errorf("make the credential of the run: %w", err)
		}
		p.Coordinator = append(p.Coordinator, "--listen="+s.Listen, "--fleet-dir="+manifest.CredentialDir)
	}
	for _, e := range s.Endpoints {
		p.Coordinator = append(p.Coordinator, "--pprof="+e)
	}
	for _, a := range s.Attached {
		names = append(names, a)
		p.Coordinator = append(p.Coordinator, "--capture="+a+"=pid:1")
	}
	// An ephemeral container has no deadline in Kubernetes, and the pod that it is in belongs to the target and goes on.
	p.Attach = func(name string) []string {
		return append(join[:2:2], "--name="+name, "--allow-attach", "--for="+s.TTL.String(), "--idle="+attachedIdle.String())
	}
	p.Coordinator = append(append(p.Coordinator, "--agents="+strings.Join(names, ",")), s.Load...)
	return p, nil
}

// kubeIdentity is the identity of a coordinator that is of one run: a certificate, its key, and
// what agents join with, by the names under which it looks for them.
func kubeIdentity() (map[string]string, error) {
	dir, err := os.MkdirTemp("", "unpark-kube-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if _, _, _, err := hub.Open(dir); err != nil {
		return nil, err
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			return nil, err
		}
		out[f.Name()] = string(text)
	}
	return out, nil
}
