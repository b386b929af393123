// Visits of a newspaper's pages: each page view is told by the browser that it was read with, and what is counted is browsers, systems and
// kinds of device. The parser is made once.
package main

import (
	"encoding/json"
	"net/http"
	"sync/atomic"

	"github.com/medama-io/go-useragent"

	"wild/service"
)

// view is one page that was read.
type view struct {
	Page  string `json:"page"`
	Agent string `json:"agent"`
}

// newspaper counts its readers.
type newspaper struct {
	agents *useragent.Parser
	bots   atomic.Int64
	views  atomic.Int64
}

func (n *newspaper) serve(w http.ResponseWriter, r *http.Request) {
	var in view
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || in.Agent == "" {
		http.Error(w, "read with what?", http.StatusBadRequest)
		return
	}
	ua := n.agents.Parse(in.Agent)
	n.views.Add(1)
	if ua.IsBot() {
		n.bots.Add(1)
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]string{
		"browser": string(ua.Browser()), "version": ua.BrowserVersionMajor(), "system": string(ua.OS()), "device": string(ua.Device()),
	})
}

func main() {
	n := &newspaper{agents: useragent.NewParser()}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /views", n.serve)
	service.Run(mux)
}
