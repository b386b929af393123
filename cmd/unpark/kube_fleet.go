package main

import (
	"crypto/rand"
	"encoding/hex"
	"strconv"

	"github.com/unpark-go/unpark/internal/kube"
	"github.com/unpark-go/unpark/internal/kube/manifest"
)

// kubeFleet says how agents and their coordinator are started in pods.
func kubeFleet(s kube.Session) (kube.Pods, error) {
	credential := manifest.CredentialDir + "/" + manifest.CredentialKey
	secret := s.Files
	if secret == nil {
		b := make([]byte, 32)
		_, _ = rand.Read(b) // it never fails (crypto/rand)
		secret = map[string]string{manifest.CredentialKey: hex.EncodeToString(b)}
	}
	p := kube.Pods{
		Agent:  []string{"agent", "--join=$(UNPARK_NATS)", "--creds=" + credential},
		Secret: secret,
		Attach: func(name string) []string {
			return []string{"agent", "--join=$(UNPARK_NATS)", "--name=" + name, "--allow-attach", "--capture-only"}
		},
	}
	p.Coordinator = []string{"run", "--agents=" + strconv.Itoa(s.Agents), "--out=" + s.Dir, "--creds=" + credential}
	if s.NATS != "" {
		p.Coordinator = append(p.Coordinator, "--nats="+s.NATS)
	} else {
		p.Coordinator = append(p.Coordinator, "--nats-listen="+s.Listen)
	}
	for _, e := range s.Endpoints {
		p.Coordinator = append(p.Coordinator, "--pprof="+e)
	}
	for _, a := range s.Attached {
		p.Coordinator = append(p.Coordinator, "--pid="+a+":1")
	}
	p.Coordinator = append(p.Coordinator, s.Load...)
	return p, nil
}
