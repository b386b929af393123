// An exporter of a hall of machines: what a controller tells is kept, and read by those that scrape and by a panel,
// which all have to say a name and a password.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"sort"
	"sync"
	"time"

	kitlog "github.com/go-kit/kit/log"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/exporter-toolkit/web"
	"golang.org/x/crypto/bcrypt"

	"wild/service"
)

// machine is what was last told of one.
type machine struct {
	Name        string    `json:"name"`
	Temperature float64   `json:"temperature"`
	Parts       int       `json:"parts"`
	At          time.Time `json:"at"`
}

// hall knows its machines.
type hall struct {
	mu       sync.RWMutex
	machines map[string]machine
	heat     *prometheus.GaugeVec
	parts    *prometheus.CounterVec
}

func newHall(reg prometheus.Registerer) *hall {
	h := &hall{
		machines: map[string]machine{},
		heat:     prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "machine_temperature_celsius"}, []string{"machine"}),
		parts:    prometheus.NewCounterVec(prometheus.CounterOpts{Name: "machine_parts_total"}, []string{"machine"}),
	}
	reg.MustRegister(h.heat, h.parts)
	h.poll()
	return h
}

// poll asks the controller, here a die.
func (h *hall) poll() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := range 24 {
		name := fmt.Sprintf("press-%02d", i)
		m := h.machines[name]
		made := rand.IntN(5)
		m = machine{name, 40 + 20*rand.Float64(), m.Parts + made, time.Now()}
		h.machines[name] = m
		h.heat.WithLabelValues(name).Set(m.Temperature)
		h.parts.WithLabelValues(name).Add(float64(made))
	}
}

// hottest are the machines for the panel.
func (h *hall) hottest(w http.ResponseWriter, _ *http.Request) {
	h.mu.RLock()
	out := make([]machine, 0, len(h.machines))
	for _, m := range h.machines {
		out = append(out, m)
	}
	h.mu.RUnlock()
	sort.Slice(out, func(i, j int) bool { return out[i].Temperature > out[j].Temperature })
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(out[:8])
}

// users writes a configuration with the readers, as the toolkit wants it.
func users() (string, error) {
	text := "basic_auth_users:\n"
	for name, password := range map[string]string{"scraper": "only-for-tests", "panel": "also-for-tests"} {
		hash, err := bcrypt.GenerateFromPassword([]byte(password), bcrypt.DefaultCost)
		if err != nil {
			return "", err
		}
		text += fmt.Sprintf("  %s: %s\n", name, hash)
	}
	dir, err := os.MkdirTemp("", "hall")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "web.yml")
	return path, os.WriteFile(path, []byte(text), 0o600)
}

func main() {
	config, err := users()
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(filepath.Dir(config))
	reg := prometheus.NewRegistry()
	h := newHall(reg)
	go func() {
		for range time.Tick(2 * time.Second) {
			h.poll()
		}
	}()
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(reg, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /hottest", h.hottest)
	ln := service.Listen()
	go func() {
		log.Println(web.Serve(ln, &http.Server{Handler: mux}, config, kitlog.NewNopLogger()))
	}()
	service.Wait()
}
