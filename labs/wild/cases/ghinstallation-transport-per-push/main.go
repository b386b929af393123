// Checks of a code host: when a repository is pushed to, the files that a push touched are asked for, as the installation of an app at the
// owner of the repository. The host is a process of its own: it takes 6 ms for a token of an installation and 3 ms for the files.
package main

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/bradleyfalzon/ghinstallation/v2"

	"wild/service"
)

const appID = 4711

// checks is the app.
type checks struct {
	host string
	key  []byte
	base *http.Transport

	mu    sync.Mutex
	known map[int64]*ghinstallation.Transport
}

func open(address string) (*checks, error) {
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, err
	}
	return &checks{
		host:  "http://" + address,
		key:   pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(private)}),
		base:  &http.Transport{MaxIdleConnsPerHost: 64},
		known: map[int64]*ghinstallation.Transport{},
	}, nil
}

// installed speaks as an installation.
func (c *checks) installed(id int64) (*ghinstallation.Transport, error) {
	if service.After() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if t := c.known[id]; t != nil {
			return t, nil
		}
	}
	t, err := ghinstallation.New(c.base, appID, id, c.key)
	if err != nil {
		return nil, err
	}
	t.BaseURL = c.host
	if service.After() {
		c.known[id] = t
	}
	return t, nil
}

// touched are the files of a push.
func (c *checks) touched(ctx context.Context, p push) ([]string, error) {
	t, err := c.installed(p.Installation)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.host+"/repos/"+p.Repository+"/commits/"+p.Commit+"/files", nil)
	if err != nil {
		return nil, err
	}
	client := &http.Client{Transport: t, Timeout: 5 * time.Second}
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the host says %s", resp.Status)
	}
	var files []string
	return files, json.NewDecoder(resp.Body).Decode(&files)
}

// push is what the host tells of one.
type push struct {
	Installation int64  `json:"installation"`
	Repository   string `json:"repository"`
	Commit       string `json:"commit"`
}

func (c *checks) pushed(w http.ResponseWriter, r *http.Request) {
	var p push
	if err := json.NewDecoder(io.LimitReader(r.Body, 16<<10)).Decode(&p); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	files, err := c.touched(r.Context(), p)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	needs := map[string]bool{}
	for _, f := range files {
		needs[f[strings.LastIndexByte(f, '.')+1:]] = true
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"commit": p.Commit, "files": len(files), "checks": needs})
}

func main() {
	if os.Getenv("ROLE") == "host" {
		host()
		return
	}
	c, err := open(service.Beside("host"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /pushes", c.pushed)
	service.Run(mux)
}

// host gives tokens and files.
func host() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /app/installations/{installation}/access_tokens", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(6 * time.Millisecond)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		json.NewEncoder(w).Encode(map[string]any{"token": "ghs_" + r.PathValue("installation"), "expires_at": time.Now().Add(time.Hour).UTC()})
	})
	mux.HandleFunc("GET /repos/{owner}/{repository}/commits/{commit}/files", func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.Header.Get("Authorization"), "token ghs_") {
			http.Error(w, "whose token is this?", http.StatusUnauthorized)
			return
		}
		time.Sleep(3 * time.Millisecond)
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode([]string{"go.mod", "main.go", "docs/index.md", "web/page.ts", r.PathValue("commit") + ".sql"})
	})
	go func() { log.Println(http.Serve(ln, mux)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
