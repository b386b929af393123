package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/unpark-go/unpark/internal/kube"
	"github.com/unpark-go/unpark/internal/kube/manifest"
)

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
	p.Attach = func(name string) []string { return append(join[:2:2], "--name="+name, "--allow-attach") }
	p.Coordinator = append(append(p.Coordinator, "--agents="+strings.Join(names, ",")), s.Load...)
	return p, nil
}

// kubeIdentity is a folder with the identity of an embedded server, as the coordinator reads
// it: a certificate, its key, and what agents join with. It is of one run.
func kubeIdentity() (map[string]string, error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	certificate := &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()), Subject: pkix.Name{CommonName: "unpark"},
		NotBefore: now.AddDate(0, 0, -1), NotAfter: now.AddDate(0, 0, 2), // clocks in the cluster may be off
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, certificate, certificate, &private.PublicKey, private)
	if err != nil {
		return nil, err
	}
	key, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(der)
	return map[string]string{
		"cert.pem":             string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
		"key.pem":              string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: key})),
		manifest.CredentialKey: "unpark-join-1 " + rand.Text() + rand.Text() + " " + hex.EncodeToString(sum[:]) + "\n",
	}, nil
}
