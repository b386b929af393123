// Claims of an insurer: a photograph of the damage is put into an object store, a process elsewhere that takes 3 ms for one, and is listed
// with the claim.
package main

import (
	"context"
	"crypto/md5"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/ncw/swift/v2"

	"wild/service"
)

// claims has photographs, by claim.
type claims struct {
	store *swift.Connection

	mu     sync.Mutex
	photos map[string]int
}

func open(ctx context.Context, address string) (*claims, error) {
	c := &claims{
		store: &swift.Connection{
			UserName: "claims", ApiKey: "secret", AuthUrl: "http://" + address + "/auth/v1.0",
			Transport: &http.Transport{MaxIdleConnsPerHost: 64},
		},
		photos: map[string]int{},
	}
	return c, c.store.Authenticate(ctx)
}

// name is what the next photograph of a claim is called.
func (c *claims) name(claim string) string {
	c.photos[claim]++
	return fmt.Sprintf("%s-%d.jpg", claim, c.photos[claim])
}

// put stores a photograph, and says what it is called.
func (c *claims) put(ctx context.Context, claim string, photo []byte) (string, error) {
	c.mu.Lock()
	name := c.name(claim)
	if service.After() {
		c.mu.Unlock() // the store may be used by many at once
	} else {
		defer c.mu.Unlock()
	}
	return name, c.store.ObjectPutBytes(ctx, "photos", name, photo, "image/jpeg")
}

func (c *claims) serve(w http.ResponseWriter, r *http.Request) {
	photo, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	if err != nil || len(photo) == 0 {
		http.Error(w, "where is the photograph?", http.StatusBadRequest)
		return
	}
	name, err := c.put(r.Context(), r.PathValue("claim"), photo)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]string{"photo": name})
}

func main() {
	if os.Getenv("ROLE") == "store" {
		serveStore()
		return
	}
	c, err := open(context.Background(), service.Beside("store"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /claims/{claim}/photos", c.serve)
	service.Run(mux)
}

// serveStore takes objects.
func serveStore() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /auth/v1.0", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Storage-Url", "http://"+ln.Addr().String()+"/v1/claims")
		w.Header().Set("X-Auth-Token", "0451")
	})
	mux.HandleFunc("PUT /v1/claims/{container}/{object}", func(w http.ResponseWriter, r *http.Request) {
		sum := md5.New()
		io.Copy(sum, r.Body)
		time.Sleep(3 * time.Millisecond)
		w.Header().Set("Etag", fmt.Sprintf("%x", sum.Sum(nil)))
		w.WriteHeader(http.StatusCreated)
	})
	go http.Serve(ln, mux)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
