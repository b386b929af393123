// The gate of an event store: applications post events in batches, and each event is held against what its kind allows,
// which is configured.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/viper"

	"wild/service"
)

const config = `
gate:
  batch: 200
kinds:
  click:
    enabled: true
    max_bytes: 200
    fields: [page, button]
    sample: 1.0
  view:
    enabled: true
    max_bytes: 300
    fields: [page, referrer]
    sample: 0.5
  order:
    enabled: true
    max_bytes: 2000
    fields: [order, cents, currency]
    sample: 1.0
  scroll:
    enabled: false
    max_bytes: 100
    fields: [page]
    sample: 0.1
`

// kind is what is configured of one.
type kind struct {
	Enabled  bool     `mapstructure:"enabled"`
	MaxBytes int      `mapstructure:"max_bytes"`
	Fields   []string `mapstructure:"fields"`
	Sample   float64  `mapstructure:"sample"`
}

// event is as it was posted.
type event struct {
	ID   uint32            `json:"id"`
	Kind string            `json:"kind"`
	Data map[string]string `json:"data"`
}

// gate counts what it lets through.
type gate struct {
	config *viper.Viper
	kinds  map[string]kind // nil: the configuration is asked

	mu     sync.Mutex
	passed map[string]int
}

func newGate() (*gate, error) {
	g := &gate{config: viper.New(), passed: map[string]int{}}
	g.config.SetConfigType("yaml")
	g.config.SetEnvPrefix("GATE")
	g.config.SetEnvKeyReplacer(strings.NewReplacer(".", "_"))
	g.config.AutomaticEnv()
	if err := g.config.ReadConfig(strings.NewReader(config)); err != nil {
		return nil, err
	}
	if service.After() {
		return g, g.config.UnmarshalKey("kinds", &g.kinds)
	}
	return g, nil
}

// of is what is configured of a kind.
func (g *gate) of(name string) (kind, bool) {
	if g.kinds != nil {
		k, ok := g.kinds[name]
		return k, ok
	}
	key := "kinds." + name
	if !g.config.IsSet(key) {
		return kind{}, false
	}
	return kind{
		Enabled: g.config.GetBool(key + ".enabled"), MaxBytes: g.config.GetInt(key + ".max_bytes"),
		Fields: g.config.GetStringSlice(key + ".fields"), Sample: g.config.GetFloat64(key + ".sample"),
	}, true
}

// check says why an event may not pass; nothing when it may.
func (g *gate) check(e event) string {
	k, ok := g.of(e.Kind)
	switch {
	case !ok:
		return "unknown"
	case !k.Enabled:
		return "off"
	case float64(e.ID%1000) >= k.Sample*1000:
		return "sampled"
	}
	size := 0
	for field, value := range e.Data {
		if size += len(field) + len(value); !slices.Contains(k.Fields, field) {
			return "field"
		}
	}
	if size > k.MaxBytes {
		return "size"
	}
	return ""
}

func (g *gate) post(w http.ResponseWriter, r *http.Request) {
	var events []event
	if err := json.NewDecoder(io.LimitReader(r.Body, 1<<20)).Decode(&events); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if most := g.config.GetInt("gate.batch"); len(events) > most {
		http.Error(w, fmt.Sprintf("at most %d events", most), http.StatusRequestEntityTooLarge)
		return
	}
	refused, passed := map[string]int{}, map[string]int{}
	for _, e := range events {
		if why := g.check(e); why != "" {
			refused[why]++
		} else {
			passed[e.Kind]++
		}
	}
	g.mu.Lock()
	for k, n := range passed {
		g.passed[k] += n
	}
	g.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"passed": passed, "refused": refused})
}

func main() {
	g, err := newGate()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /events", g.post)
	srv := &http.Server{Handler: mux, Protocols: new(http.Protocols)}
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
}
