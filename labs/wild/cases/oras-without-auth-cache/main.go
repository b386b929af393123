// Which image runs where: a deployment is shown with the digest that its tag has in the company's registry, a process elsewhere that
// wants a token, and takes 4 ms for any answer.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"oras.land/oras-go/v2/registry/remote"
	"oras.land/oras-go/v2/registry/remote/auth"

	"wild/service"
)

// fleet knows the images of deployments.
type fleet struct{ images map[string]*remote.Repository }

func open(address string) (*fleet, error) {
	client := &auth.Client{
		Client:     &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second},
		Header:     http.Header{"User-Agent": {"deployments"}},
		Credential: auth.StaticCredential(address, auth.Credential{Username: "deployments", Password: "let me see"}),
	}
	if service.After() {
		client.Cache = auth.NewCache()
	}
	f := &fleet{images: map[string]*remote.Repository{}}
	for _, name := range []string{"shop", "basket", "search", "mail", "pay", "stock"} {
		repo, err := remote.NewRepository(address + "/company/" + name)
		if err != nil {
			return nil, err
		}
		repo.PlainHTTP = true
		repo.Client = client
		f.images[name] = repo
	}
	return f, nil
}

func (f *fleet) serve(w http.ResponseWriter, r *http.Request) {
	repo, ok := f.images[r.PathValue("name")]
	if !ok {
		http.Error(w, "there is no such deployment", http.StatusNotFound)
		return
	}
	tag := r.URL.Query().Get("tag")
	image, err := repo.Resolve(r.Context(), tag)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"image": repo.Reference.Repository, "tag": tag, "digest": image.Digest, "size": image.Size})
}

func main() {
	if os.Getenv("ROLE") == "registry" {
		registry()
		return
	}
	f, err := open(service.Beside("registry"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /deployments/{name}", f.serve)
	service.Run(mux)
}

// registry has manifests for those that have a token.
func registry() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	base := "http://" + ln.Addr().String()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /token", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(4 * time.Millisecond)
		if _, password, ok := r.BasicAuth(); !ok || password != "let me see" {
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		json.NewEncoder(w).Encode(map[string]any{"token": "t-" + r.URL.Query().Get("scope"), "expires_in": 3600})
	})
	mux.HandleFunc("/v2/", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(4 * time.Millisecond)
		name, tag, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/v2/"), "/manifests/")
		scope := "repository:" + name + ":pull"
		if r.Header.Get("Authorization") != "Bearer t-"+scope {
			w.Header().Set("WWW-Authenticate", fmt.Sprintf("Bearer realm=%q,service=\"registry\",scope=%q", base+"/token", scope))
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", "application/vnd.oci.image.manifest.v1+json")
		w.Header().Set("Content-Length", "1432")
		w.Header().Set("Docker-Content-Digest", fmt.Sprintf("sha256:%064x", len(name)*1000+len(tag)))
	})
	go http.Serve(ln, mux)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
