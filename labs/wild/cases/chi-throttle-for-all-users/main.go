// Proofs of origin for parcels of food: a shop shows the label, and gets from which farm it is, which the register of farms
// says, a process of its own in the ministry. A caller may ask four things at a time.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"wild/service"
)

const atATime = 4

// origin is where something is from.
type origin struct {
	Label  string `json:"label"`
	Farm   string `json:"farm"`
	Parish string `json:"parish"`
	Fields []int  `json:"fields"`
}

// office proves origins.
type office struct {
	base   string
	client *http.Client
}

var errLabel = errors.New("no such label")

// find asks the register.
func (o office) find(ctx context.Context, label string) (*origin, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, o.base+"/farms/"+label, http.NoBody)
	if err != nil {
		return nil, err
	}
	resp, err := o.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	switch resp.StatusCode {
	case http.StatusOK:
	case http.StatusNotFound:
		return nil, errLabel
	default:
		return nil, fmt.Errorf("the register: %s", resp.Status)
	}
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	out := &origin{Label: label}
	return out, json.Unmarshal(data, out)
}

func (o office) serve(w http.ResponseWriter, r *http.Request) {
	label := chi.URLParam(r, "label")
	if _, err := strconv.ParseUint(label, 10, 32); err != nil {
		http.Error(w, "a label is a number", http.StatusBadRequest)
		return
	}
	out, err := o.find(r.Context(), label)
	switch {
	case errors.Is(err, errLabel):
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	case err != nil:
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(out)
}

// asking counts what each caller is asking just now.
type asking struct{ places map[string]chan struct{} }

// limit is for each caller, which the gateway before this names.
func (a asking) limit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		places, ok := a.places[chi.URLParam(r, "shop")]
		if !ok {
			http.Error(w, "no such shop", http.StatusForbidden)
			return
		}
		select {
		case places <- struct{}{}:
			defer func() { <-places }()
			next.ServeHTTP(w, r)
		case <-r.Context().Done():
		}
	})
}

func main() {
	if os.Getenv("ROLE") == "register" {
		serveRegister()
		return
	}
	o := office{"http://" + service.Beside("register"), &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 128}, Timeout: 10 * time.Second}}
	r := chi.NewRouter()
	r.Use(middleware.Recoverer)
	r.Route("/shops/{shop}/origins", func(r chi.Router) {
		if service.After() {
			a := asking{map[string]chan struct{}{}}
			for shop := range 40 {
				a.places[strconv.Itoa(shop)] = make(chan struct{}, atATime)
			}
			r.Use(a.limit)
		} else {
			r.Use(middleware.ThrottleBacklog(atATime, 500, 30*time.Second))
		}
		r.Get("/{label}", o.serve)
	})
	r.Get("/health", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "well\n") })
	service.Run(r)
}

// serveRegister takes 12 ms to find a farm.
func serveRegister() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	parishes := []string{"Vik", "Lom", "Voss", "Hemsedal", "Toten"}
	http.HandleFunc("GET /farms/{label}", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(12 * time.Millisecond)
		label, _ := strconv.Atoi(r.PathValue("label"))
		if label == 0 {
			http.NotFound(w, r)
			return
		}
		fmt.Fprintf(w, `{"farm":"Farm %d","parish":%q,"fields":[%d,%d]}`, label%311, parishes[label%5], label%17, label%23)
	})
	go func() { log.Println(http.Serve(ln, nil)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
