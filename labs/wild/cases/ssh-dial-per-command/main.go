// The inventory of a fleet: a request asks a host how it is, by the command that its operators allow
// over SSH, and answers with what that says. The hosts are a process of their own.
package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"

	"wild/service"
)

// state is what a host says of itself.
type state struct {
	Host   string  `json:"host"`
	Kernel string  `json:"kernel"`
	Load   float64 `json:"load"`
	Free   int     `json:"free"`
	Up     string  `json:"up"`
}

// fleet runs commands on hosts.
type fleet struct {
	address string
	config  *ssh.ClientConfig

	mu   sync.Mutex
	kept map[string]*ssh.Client // as fixed
}

// client returns a connection to a host, and what is to be done with it when it was used.
func (f *fleet) client(host string) (*ssh.Client, func(), error) {
	if !service.After() {
		c, err := ssh.Dial("tcp", f.address, f.config)
		if err != nil {
			return nil, nil, err
		}
		return c, func() { c.Close() }, nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if c, ok := f.kept[host]; ok {
		return c, func() {}, nil
	}
	c, err := ssh.Dial("tcp", f.address, f.config)
	if err != nil {
		return nil, nil, err
	}
	f.kept[host] = c
	return c, func() {}, nil
}

// run runs a command on a host and returns what it prints.
func (f *fleet) run(host, command string) ([]byte, error) {
	c, done, err := f.client(host)
	if err != nil {
		return nil, fmt.Errorf("dial %s: %w", host, err)
	}
	defer done()
	s, err := c.NewSession()
	if err != nil {
		return nil, fmt.Errorf("session on %s: %w", host, err)
	}
	defer s.Close()
	return s.Output(command)
}

// parse reads lines of a name and a value.
func parse(host string, out []byte) (state, error) {
	s := state{Host: host}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		name, value, ok := strings.Cut(line, ": ")
		if !ok {
			return s, fmt.Errorf("%s says %q", host, line)
		}
		var err error
		switch name {
		case "kernel":
			s.Kernel = value
		case "load":
			s.Load, err = strconv.ParseFloat(value, 64)
		case "free":
			s.Free, err = strconv.Atoi(value)
		case "up":
			var d time.Duration
			d, err = time.ParseDuration(value)
			s.Up = d.Round(time.Minute).String()
		}
		if err != nil {
			return s, fmt.Errorf("%s: %w", name, err)
		}
	}
	return s, nil
}

func main() {
	if os.Getenv("ROLE") == "hosts" {
		hosts()
		return
	}
	key, err := ssh.ParsePrivateKey(newKey())
	if err != nil {
		log.Fatal(err)
	}
	address, host, _ := strings.Cut(service.Beside("hosts"), " ")
	hostKey, _, _, _, err := ssh.ParseAuthorizedKey([]byte(host))
	if err != nil {
		log.Fatal(err)
	}
	f := &fleet{address: address, kept: map[string]*ssh.Client{}, config: &ssh.ClientConfig{
		User: "inventory", Auth: []ssh.AuthMethod{ssh.PublicKeys(key)}, HostKeyCallback: ssh.FixedHostKey(hostKey), Timeout: 5 * time.Second,
	}}
	http.HandleFunc("/state", func(w http.ResponseWriter, r *http.Request) {
		host := r.URL.Query().Get("host")
		if host == "" || strings.ContainsAny(host, " '\"$;") {
			http.Error(w, "which host?", http.StatusBadRequest)
			return
		}
		out, err := f.run(host, "state "+host)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		s, err := parse(host, out)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(s)
	})
	service.Run(http.DefaultServeMux)
}

func newKey() []byte {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		log.Fatal(err)
	}
	block, err := ssh.MarshalPrivateKey(key, "fleet")
	if err != nil {
		log.Fatal(err)
	}
	return pem.EncodeToMemory(block)
}

// hosts answers for all of the fleet.
func hosts() {
	signer, err := ssh.ParsePrivateKey(newKey())
	if err != nil {
		log.Fatal(err)
	}
	config := &ssh.ServerConfig{PublicKeyCallback: func(c ssh.ConnMetadata, _ ssh.PublicKey) (*ssh.Permissions, error) {
		if c.User() != "inventory" {
			return nil, errors.New("who?")
		}
		return nil, nil
	}}
	config.AddHostKey(signer)
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
			go host(c, config)
		}
	}()
	fmt.Println(ln.Addr(), string(bytes.TrimSpace(ssh.MarshalAuthorizedKey(signer.PublicKey()))))
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

func host(c net.Conn, config *ssh.ServerConfig) {
	conn, channels, requests, err := ssh.NewServerConn(c, config)
	if err != nil {
		c.Close()
		return
	}
	defer conn.Close()
	go ssh.DiscardRequests(requests)
	for n := range channels {
		if n.ChannelType() != "session" {
			n.Reject(ssh.UnknownChannelType, "sessions only")
			continue
		}
		ch, in, err := n.Accept()
		if err != nil {
			return
		}
		go func() {
			defer ch.Close()
			for r := range in {
				r.Reply(r.Type == "exec", nil)
				if r.Type != "exec" {
					continue
				}
				fmt.Fprintf(ch, "kernel: 6.12.%d\nload: 0.%d\nfree: %d\nup: 217h31m12s\n", len(r.Payload), len(r.Payload)*3, len(r.Payload)<<20)
				ch.SendRequest("exit-status", false, []byte{0, 0, 0, 0})
				return
			}
		}()
	}
}
