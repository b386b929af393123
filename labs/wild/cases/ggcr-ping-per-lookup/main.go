// Turns the tags of a deployment's images into digests, so that what was tested is what runs: for
// each image the registry is asked what its tag points to now. The registry, a process of its own,
// is 3 ms away.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	"github.com/google/go-containerregistry/pkg/v1/random"
	"github.com/google/go-containerregistry/pkg/v1/remote"

	"wild/service"
)

const late = 3 * time.Millisecond

var images = []string{"shop/basket", "shop/search", "shop/stock", "mesh/proxy"}

// pinned is an image by its digest.
type pinned struct {
	Tag    string `json:"tag"`
	Digest string `json:"digest"`
	Size   int64  `json:"size"`
}

// resolver looks tags up.
type resolver struct {
	registry string
	options  []remote.Option
}

func newResolver(address string) (*resolver, error) {
	r := &resolver{registry: address}
	if service.After() {
		puller, err := remote.NewPuller()
		if err != nil {
			return nil, err
		}
		r.options = append(r.options, remote.Reuse(puller))
	}
	return r, nil
}

func (r *resolver) pin(ctx context.Context, image string) (pinned, error) {
	tag, err := name.NewTag(r.registry+"/"+image, name.StrictValidation, name.Insecure)
	if err != nil {
		return pinned{}, err
	}
	options := append([]remote.Option{remote.WithContext(ctx)}, r.options...)
	d, err := remote.Head(tag, options...)
	if err != nil {
		return pinned{}, fmt.Errorf("look %s up: %w", image, err)
	}
	return pinned{tag.Name(), d.Digest.String(), d.Size}, nil
}

// deployment pins the images that it is made of, which are parted by commas.
func (r *resolver) deployment(ctx context.Context, list string) ([]pinned, error) {
	var out []pinned
	for _, image := range strings.Split(list, ",") {
		if image == "" || strings.Contains(image, "@") {
			continue
		}
		p, err := r.pin(ctx, image)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

func main() {
	if os.Getenv("ROLE") == "registry" {
		serveRegistry()
		return
	}
	r, err := newResolver(service.Beside("registry"))
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/pin", func(w http.ResponseWriter, q *http.Request) {
		pins, err := r.deployment(q.Context(), q.URL.Query().Get("images"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(pins)
	})
	service.Run(http.DefaultServeMux)
}

// serveRegistry serves a registry that has a version of each image.
func serveRegistry() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	h := registry.New(registry.Logger(log.New(io.Discard, "", 0)))
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet || r.Method == http.MethodHead {
			time.Sleep(late)
		}
		h.ServeHTTP(w, r)
	}))
	for _, image := range images {
		tag, err := name.NewTag(ln.Addr().String()+"/"+image+":v4", name.Insecure)
		if err != nil {
			log.Fatal(err)
		}
		img, err := random.Image(512, 2)
		if err != nil {
			log.Fatal(err)
		}
		if err := remote.Write(tag, img); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
