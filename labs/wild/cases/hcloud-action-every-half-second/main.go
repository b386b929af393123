// Machines of a school's computer room are servers at a cloud, a process elsewhere: when a lesson begins each pupil's is started again, and the
// pupil is told as soon as that is done, which is after 15 ms.
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
	"strconv"
	"sync"
	"time"

	"github.com/hetznercloud/hcloud-go/v2/hcloud"

	"wild/service"
)

// room has machines.
type room struct{ cloud *hcloud.Client }

func open(address string) *room {
	options := []hcloud.ClientOption{
		hcloud.WithEndpoint("http://" + address), hcloud.WithToken("school"),
		hcloud.WithHTTPClient(&http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second}),
	}
	if service.After() {
		options = append(options, hcloud.WithPollOpts(hcloud.PollOpts{BackoffFunc: hcloud.ConstantBackoff(10 * time.Millisecond)}))
	}
	return &room{hcloud.NewClient(options...)}
}

// restart starts a machine again, and waits until that is done.
func (r *room) restart(ctx context.Context, machine int64) error {
	action, _, err := r.cloud.Server.Reboot(ctx, &hcloud.Server{ID: machine})
	if err != nil {
		return err
	}
	return r.cloud.Action.WaitFor(ctx, action)
}

func (r *room) serve(w http.ResponseWriter, req *http.Request) {
	machine, err := strconv.ParseInt(req.PathValue("machine"), 10, 64)
	if err != nil {
		http.Error(w, "which machine?", http.StatusBadRequest)
		return
	}
	if err := r.restart(req.Context(), machine); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"machine": machine, "ready": true})
}

func main() {
	if os.Getenv("ROLE") == "cloud" {
		cloud()
		return
	}
	r := open(service.Beside("cloud"))
	mux := http.NewServeMux()
	mux.HandleFunc("POST /machines/{machine}/restart", r.serve)
	service.Run(mux)
}

// cloud has servers, and does what is asked of them in its own time.
func cloud() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	var mu sync.Mutex
	var last int64
	begun := map[int64]time.Time{}
	action := func(id int64, since time.Duration) map[string]any {
		out := map[string]any{"id": id, "command": "reboot_server", "status": "running", "progress": 0, "started": "2026-07-01T08:00:00+00:00", "resources": []any{}}
		if since >= 15*time.Millisecond {
			out["status"], out["progress"] = "success", 100
		}
		return out
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /servers/{id}/actions/reboot", func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		last++
		id := last
		begun[id] = time.Now()
		mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		json.NewEncoder(w).Encode(map[string]any{"action": action(id, 0)})
	})
	mux.HandleFunc("GET /actions", func(w http.ResponseWriter, r *http.Request) {
		all := []any{}
		mu.Lock()
		for _, text := range r.URL.Query()["id"] {
			id, _ := strconv.ParseInt(text, 10, 64)
			since := time.Since(begun[id])
			all = append(all, action(id, since))
			if since >= 15*time.Millisecond {
				delete(begun, id)
			}
		}
		mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		page := map[string]any{"page": 1, "per_page": 50, "last_page": 1, "total_entries": len(all)}
		json.NewEncoder(w).Encode(map[string]any{"actions": all, "meta": map[string]any{"pagination": page}})
	})
	go http.Serve(ln, mux)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
