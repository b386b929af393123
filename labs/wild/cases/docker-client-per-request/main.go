// Workshops of a school: a pupil's page shows which of the pupil's containers run, as the Docker engine of the class says, which runs
// as a process of its own and takes 2 ms for an answer.
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
	"time"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/filters"
	"github.com/docker/docker/client"

	"wild/service"
)

// class has an engine.
type class struct {
	engine string
	shared *client.Client
}

func (c *class) dial() (*client.Client, error) {
	return client.NewClientWithOpts(client.WithHost("tcp://"+c.engine), client.WithAPIVersionNegotiation())
}

func open(engine string) (*class, error) {
	c := &class{engine: engine}
	var err error
	if service.After() {
		c.shared, err = c.dial()
	}
	return c, err
}

// running are the containers of a pupil.
func (c *class) running(ctx context.Context, pupil string) ([]container.Summary, error) {
	docker := c.shared
	if docker == nil {
		var err error
		if docker, err = c.dial(); err != nil {
			return nil, err
		}
		defer docker.Close()
	}
	return docker.ContainerList(ctx, container.ListOptions{Filters: filters.NewArgs(filters.Arg("label", "pupil="+pupil))})
}

// work is what a page shows of a container.
type work struct {
	Name  string `json:"name"`
	Image string `json:"image"`
	State string `json:"state"`
	Since string `json:"since"`
}

func (c *class) page(w http.ResponseWriter, r *http.Request) {
	all, err := c.running(r.Context(), r.PathValue("pupil"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	out := []work{}
	for _, found := range all {
		name := found.ID[:6]
		if len(found.Names) > 0 {
			name = found.Names[0]
		}
		out = append(out, work{name, found.Image, string(found.State), time.Unix(found.Created, 0).UTC().Format(time.DateOnly)})
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(out)
}

func main() {
	if os.Getenv("ROLE") == "engine" {
		engine()
		return
	}
	c, err := open(service.Beside("engine"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /pupils/{pupil}/work", c.page)
	mux.HandleFunc("GET /lessons", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "Monday, 10:15") })
	service.Run(mux)
}

// engine has two containers for each pupil.
func engine() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/_ping", func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(2 * time.Millisecond)
		w.Header().Set("API-Version", "1.47")
		w.Header().Set("OSType", "linux")
		fmt.Fprint(w, "OK")
	})
	mux.HandleFunc("GET /{version}/containers/json", func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(2 * time.Millisecond)
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode([]map[string]any{
			{"Id": "8dfafdbc3a40", "Names": []string{"/editor"}, "Image": "editor:4", "State": "running", "Status": "Up 2 hours", "Created": 1780000000},
			{"Id": "9cd87474be90", "Names": []string{"/database"}, "Image": "postgres:17", "State": "running", "Status": "Up 2 hours", "Created": 1780000100},
		})
	})
	go func() { log.Println(http.Serve(ln, mux)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
