// A shop's front page: which parts of it a visitor sees hangs on flags, that PostHog keeps, a process elsewhere, which takes 4 ms for an answer.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/posthog/posthog-go"

	"wild/service"
)

var parts = []string{"new-search", "gift-cards", "night-theme", "fast-checkout"}

// shop has a front page.
type shop struct{ flags posthog.Client }

func open(address string) (*shop, error) {
	quiet := false
	config := posthog.Config{
		Endpoint:  "http://" + address,
		Transport: &http.Transport{MaxIdleConnsPerHost: 64},
	}
	if service.After() {
		config.PersonalApiKey = "phx_shop"
	}
	client, err := posthog.NewWithConfig("phc_shop", config)
	if err != nil {
		return nil, err
	}
	s := &shop{client}
	// What the flags are is known before the first visitor.
	_, err = client.IsFeatureEnabled(posthog.FeatureFlagPayload{Key: parts[0], DistinctId: "the shop", SendFeatureFlagEvents: &quiet})
	return s, err
}

// page says which parts a visitor sees.
func (s *shop) page(visitor, country string) (map[string]bool, error) {
	quiet := false
	out := map[string]bool{}
	for _, part := range parts {
		on, err := s.flags.IsFeatureEnabled(posthog.FeatureFlagPayload{
			Key:                   part,
			DistinctId:            visitor,
			PersonProperties:      posthog.NewProperties().Set("country", country),
			SendFeatureFlagEvents: &quiet,
		})
		if err != nil {
			return nil, err
		}
		out[part] = on == true
	}
	return out, nil
}

func (s *shop) serve(w http.ResponseWriter, r *http.Request) {
	out, err := s.page(r.PathValue("visitor"), r.URL.Query().Get("country"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(out)
}

func main() {
	if os.Getenv("ROLE") == "posthog" {
		serveFlags()
		return
	}
	s, err := open(service.Beside("posthog"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /visitors/{visitor}/page", s.serve)
	service.Run(mux)
}

// serveFlags evaluates flags for a visitor, or says what they are.
func serveFlags() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /flags/", func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			Visitor string `json:"distinct_id"`
		}
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		time.Sleep(4 * time.Millisecond)
		flags := map[string]any{}
		for i, part := range parts {
			flags[part] = map[string]any{"key": part, "enabled": (len(in.Visitor)+i)%2 == 0, "variant": nil,
				"reason": map[string]any{"code": "condition_match", "description": "", "condition_index": 0}, "metadata": map[string]any{"id": i, "version": 1}}
		}
		json.NewEncoder(w).Encode(map[string]any{"flags": flags, "errorsWhileComputingFlags": false})
	})
	mux.HandleFunc("GET /api/feature_flag/local_evaluation", func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(4 * time.Millisecond)
		var flags []any
		for _, part := range parts {
			flags = append(flags, map[string]any{"key": part, "active": true, "filters": map[string]any{"groups": []any{map[string]any{
				"rollout_percentage": 50,
				"properties":         []any{map[string]any{"key": "country", "operator": "exact", "type": "person", "value": []string{"SE", "NL", "PT"}}},
			}}}})
		}
		json.NewEncoder(w).Encode(map[string]any{"flags": flags})
	})
	go http.Serve(ln, mux)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
