// Tariffs of power suppliers over h2c: what a meter's use of a day costs, by the settings of its supplier, that operators can change while
// the service runs.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"strconv"
	"sync/atomic"

	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/v2"

	"wild/service"
)

// tariff is what a supplier charges.
type tariff struct {
	day, night, base float64
	from, to         int // hours of the day
	green            bool
	regions          []string
}

// tariffs are those of all suppliers.
type tariffs struct {
	settings *koanf.Koanf
	kept     atomic.Pointer[map[string]tariff]
}

const suppliers = 60

func open() (*tariffs, error) {
	all := map[string]any{}
	for i := range suppliers {
		steps := map[string]any{}
		for s := range 12 {
			steps[fmt.Sprintf("month-%d", s+1)] = map[string]any{"rebate": s % 4, "limit": 200 + 30*s}
		}
		all[fmt.Sprintf("supplier-%d", i)] = map[string]any{
			"price":   map[string]any{"day": 0.28 + float64(i)/500, "night": 0.19 + float64(i)/700, "base": 0.35},
			"hours":   map[string]any{"from": 6, "to": 21 + i%2},
			"green":   i%3 == 0,
			"regions": []string{"north", "coast", "hills"},
			"months":  steps,
		}
	}
	t := &tariffs{settings: koanf.New(".")}
	if err := t.settings.Load(confmap.Provider(all, ""), nil); err != nil {
		return nil, err
	}
	t.changed()
	return t, nil
}

// changed reads all settings, after they were loaded.
func (t *tariffs) changed() {
	all := make(map[string]tariff, suppliers)
	for _, name := range t.settings.MapKeys("") {
		all[name] = read(t.settings.Cut(name))
	}
	t.kept.Store(&all)
}

// read makes a tariff of the settings of a supplier.
func read(k *koanf.Koanf) tariff {
	return tariff{
		day: k.Float64("price.day"), night: k.Float64("price.night"), base: k.Float64("price.base"),
		from: k.Int("hours.from"), to: k.Int("hours.to"), green: k.Bool("green"), regions: k.Strings("regions"),
	}
}

// of returns the tariff of a supplier.
func (t *tariffs) of(supplier string) (tariff, bool) {
	if service.After() {
		found, ok := (*t.kept.Load())[supplier]
		return found, ok
	}
	if !t.settings.Exists(supplier) {
		return tariff{}, false
	}
	return read(t.settings.Cut(supplier)), true
}

// cost is what as much as was used in each hour of a day costs.
func (t tariff) cost(use func(hour int) float64) float64 {
	sum := t.base
	for hour := range 24 {
		if hour >= t.from && hour < t.to {
			sum += use(hour) * t.day
		} else {
			sum += use(hour) * t.night
		}
	}
	return sum
}

func (t *tariffs) serve(w http.ResponseWriter, r *http.Request) {
	found, ok := t.of(r.PathValue("supplier"))
	watts, err := strconv.ParseFloat(r.URL.Query().Get("watts"), 64)
	if !ok || err != nil {
		http.Error(w, "which supplier, and how many watts?", http.StatusBadRequest)
		return
	}
	cost := found.cost(func(hour int) float64 { return watts / 1000 * (0.5 + float64(hour%12)/12) })
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"cost": cost, "green": found.green, "regions": found.regions})
}

func main() {
	t, err := open()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /suppliers/{supplier}/cost", t.serve)
	mux.HandleFunc("GET /suppliers", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, len(*t.kept.Load())) })
	srv := &http.Server{Handler: mux, Protocols: new(http.Protocols)}
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	_ = srv.Close()
}
