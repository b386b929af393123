// Cameras at the crossings of a town: how many cars wait at a crossing is asked of the camera there, which wants a password by
// HTTP digest. The cameras are one process here, and answer in 5 ms.
package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/icholy/digest"

	"wild/service"
)

// waiting is what a camera counts.
type waiting struct {
	Crossing string `json:"crossing"`
	Lanes    []int  `json:"lanes"`
	Bicycles int    `json:"bicycles"`
}

// town asks its cameras.
type town struct {
	cameras string
	base    http.RoundTripper
	asks    *http.Client
}

func open(address string) *town {
	t := &town{cameras: "http://" + address, base: &http.Transport{MaxIdleConnsPerHost: 64}}
	t.asks = t.signs()
	return t
}

// signs is a client that has the password.
func (t *town) signs() *http.Client {
	return &http.Client{Timeout: 5 * time.Second, Transport: &digest.Transport{Username: "town", Password: "green-wave", Transport: t.base}}
}

// client is what a camera is asked by.
func (t *town) client() *http.Client {
	if service.After() {
		return t.asks
	}
	return t.signs()
}

// count is what waits at a crossing.
func (t *town) count(ctx context.Context, crossing string) (*waiting, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, t.cameras+"/crossings/"+crossing+"/count", http.NoBody)
	if err != nil {
		return nil, err
	}
	resp, err := t.client().Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the camera of %s says %s", crossing, resp.Status)
	}
	var out waiting
	return &out, json.NewDecoder(resp.Body).Decode(&out)
}

func (t *town) serve(w http.ResponseWriter, r *http.Request) {
	c, err := t.count(r.Context(), r.PathValue("crossing"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	cars := 0
	for _, n := range c.Lanes {
		cars += n
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"crossing": c.Crossing, "cars": cars, "bicycles": c.Bicycles, "green_seconds": min(60, 8+2*cars)})
}

func main() {
	if os.Getenv("ROLE") == "cameras" {
		cameras()
		return
	}
	t := open(service.Beside("cameras"))
	mux := http.NewServeMux()
	mux.HandleFunc("GET /crossings/{crossing}", t.serve)
	srv := &http.Server{Handler: mux, Protocols: new(http.Protocols)}
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Close()
}

// cameras count, for those that have the password.
func cameras() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	var given sync.Map // challenges
	mux := http.NewServeMux()
	mux.HandleFunc("GET /crossings/{crossing}/count", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(5 * time.Millisecond)
		if !allowed(r, &given) {
			nonce := rand.Text()
			given.Store(nonce, true)
			w.Header().Set("WWW-Authenticate", fmt.Sprintf(`Digest realm="cameras", nonce="%s", qop="auth", algorithm=MD5`, nonce))
			http.Error(w, "who asks?", http.StatusUnauthorized)
			return
		}
		n := len(r.PathValue("crossing"))
		for _, c := range r.PathValue("crossing") {
			n = n*31 + int(c)
		}
		n += int(time.Now().Unix() / 10)
		json.NewEncoder(w).Encode(waiting{r.PathValue("crossing"), []int{n % 9, n % 7, n % 4}, n % 11})
	})
	go func() { log.Println(http.Serve(ln, mux)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

// allowed reports whether a request is signed with the password, for a challenge that was given.
func allowed(r *http.Request, given *sync.Map) bool {
	said := r.Header.Get("Authorization")
	if !strings.HasPrefix(said, "Digest ") {
		return false
	}
	c, err := digest.ParseCredentials(said)
	if err != nil {
		return false
	}
	if _, ok := given.Load(c.Nonce); !ok {
		return false
	}
	want, err := digest.Digest(&digest.Challenge{Realm: c.Realm, Nonce: c.Nonce, QOP: []string{"auth"}, Algorithm: "MD5"}, digest.Options{
		Method: r.Method, URI: c.URI, Username: "town", Password: "green-wave", Cnonce: c.Cnonce, Count: c.Nc,
	})
	return err == nil && want.Response == c.Response
}
