// Subscriptions of a message hub: a client asks which channels its pattern would take, before it subscribes. The
// channels are named by place, device and kind of message.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/tidwall/match"

	"wild/service"
)

// most is how many steps a match may take for a character of the name.
const most = 8

var limited = service.After()

// hub has channels, and when something was sent last.
type hub struct {
	channels []string
	sent     map[string]int64
}

func newHub() *hub {
	h := &hub{sent: map[string]int64{}}
	for i := range 60 {
		name := fmt.Sprintf("plant-%d/hall-%d/conveyor-%d/%s", i%3, i%5, i, []string{"temperature", "state", "alarms", "energy"}[i%4])
		h.channels = append(h.channels, name)
		h.sent[name] = 1790000000 + int64(i)*61
	}
	for i := range 4 {
		// Bridges are named by the whole way that their messages take.
		name := fmt.Sprintf("bridge/%d%s/state", i, strings.Repeat("/a-na-ana", 6))
		h.channels = append(h.channels, name)
		h.sent[name] = 1790000000 + int64(i)
	}
	slices.Sort(h.channels)
	return h
}

// takes says whether a pattern takes a name.
func takes(name, pattern string) (bool, error) {
	if !limited {
		return match.Match(name, pattern), nil
	}
	ok, stopped := match.MatchLimit(name, pattern, most)
	if stopped {
		return false, fmt.Errorf("pattern %q is too much for %q", pattern, name)
	}
	return ok, nil
}

type channel struct {
	Name string `json:"name"`
	Sent int64  `json:"sent"`
}

func (h *hub) find(pattern string) ([]channel, error) {
	out := []channel{}
	for _, name := range h.channels {
		ok, err := takes(name, pattern)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, channel{name, h.sent[name]})
		}
	}
	slices.SortFunc(out, func(a, b channel) int { return int(b.Sent - a.Sent) })
	return out, nil
}

func main() {
	h := newHub()
	http.HandleFunc("GET /channels", func(w http.ResponseWriter, r *http.Request) {
		pattern := r.URL.Query().Get("pattern")
		if pattern == "" || len(pattern) > 100 {
			http.Error(w, "pattern has 1 to 100 characters", http.StatusBadRequest)
			return
		}
		out, err := h.find(pattern)
		w.Header().Set("Content-Type", "application/json")
		if err != nil {
			json.NewEncoder(w).Encode(map[string]string{"refused": err.Error()})
			return
		}
		json.NewEncoder(w).Encode(out)
	})
	service.Run(http.DefaultServeMux)
}
