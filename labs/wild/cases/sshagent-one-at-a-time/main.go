// Certificates for hosts: machines that boot ask for a certificate, which a key signs that is kept by an SSH agent, a process of its own
// on a machine in another room.
package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"

	"wild/service"
)

// authority signs with a key of an agent.
type authority struct {
	signer ssh.Signer
	host   ssh.PublicKey // what hosts come with, which is the same here for each
	serial atomic.Uint64
}

func open(address string) (*authority, error) {
	c, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	signers, err := agent.NewClient(c).Signers()
	if err != nil {
		return nil, err
	}
	if len(signers) != 1 {
		return nil, fmt.Errorf("the agent has %d keys", len(signers))
	}
	seed := make([]byte, ed25519.SeedSize)
	binary.BigEndian.PutUint64(seed, 42)
	host, err := ssh.NewPublicKey(ed25519.NewKeyFromSeed(seed).Public())
	return &authority{signer: signers[0], host: host}, err
}

// certificate is that of a host, for a week.
func (a *authority) certificate(name string, now time.Time) (*ssh.Certificate, error) {
	cert := &ssh.Certificate{
		Key:             a.host,
		Serial:          a.serial.Add(1),
		CertType:        ssh.HostCert,
		KeyId:           name,
		ValidPrincipals: []string{name, name + ".internal.example"},
		ValidAfter:      uint64(now.Add(-time.Minute).Unix()),
		ValidBefore:     uint64(now.AddDate(0, 0, 7).Unix()),
	}
	return cert, cert.SignCert(rand.Reader, a.signer)
}

func (a *authority) serve(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("host")
	if len(name) > 60 {
		http.Error(w, "which host?", http.StatusBadRequest)
		return
	}
	cert, err := a.certificate(name, time.Now())
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "text/plain")
	w.Write(ssh.MarshalAuthorizedKey(cert))
}

func main() {
	if os.Getenv("ROLE") == "agent" {
		keep()
		return
	}
	a, err := open(service.Beside("agent"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /hosts/{host}/certificate", a.serve)
	mux.HandleFunc("GET /authority", func(w http.ResponseWriter, _ *http.Request) {
		w.Write(ssh.MarshalAuthorizedKey(a.signer.PublicKey()))
	})
	service.Run(mux)
}

const late = 2 * time.Millisecond // the link to the other room, each way

// keep is the agent, and the link to it.
func keep() {
	keys := agent.NewKeyring()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		log.Fatal(err)
	}
	if err := keys.Add(agent.AddedKey{PrivateKey: key, Comment: "hosts"}); err != nil {
		log.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			near, far := net.Pipe()
			go service.Carry(near, c, late)
			go service.Carry(c, near, late)
			go agent.ServeAgent(keys, far)
		}
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
