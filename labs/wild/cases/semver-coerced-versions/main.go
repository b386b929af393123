// A registry of modules: which release of a module fits what a client asks for, among all
// that were published. Releases are kept as text, as they were pushed; the registry admits
// none that is not a strict semantic version.
package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"

	"github.com/Masterminds/semver/v3"

	"wild/service"
)

type answer struct {
	Module   string   `json:"module"`
	Latest   string   `json:"latest"`
	Fits     string   `json:"fits"`
	Others   []string `json:"others"`
	Releases int      `json:"releases"`
}

// shown are the releases that an answer names.
const shown = 4

// registry is what was published.
type registry struct {
	mu       sync.RWMutex
	releases map[string][]string
	parse    func(string) (*semver.Version, error)
}

func (g *registry) all(module string) ([]string, bool) {
	g.mu.RLock()
	defer g.mu.RUnlock()
	texts, ok := g.releases[module]
	return texts, ok
}

// resolve finds the newest release of all and the newest that a constraint allows.
func (g *registry) resolve(module string, want *semver.Constraints) (answer, error) {
	texts, ok := g.all(module)
	if !ok {
		return answer{}, fmt.Errorf("no module %q", module)
	}
	out := answer{Module: module, Releases: len(texts)}
	var latest *semver.Version
	var fits []*semver.Version
	for _, text := range slices.Backward(texts) { // the newest first, mostly
		v, err := g.parse(text)
		if err != nil {
			return answer{}, fmt.Errorf("%s %s: %w", module, text, err)
		}
		if v.Prerelease() == "" && (latest == nil || v.GreaterThan(latest)) {
			latest = v
		}
		if len(fits) < shown && v.Prerelease() == "" && want.Check(v) {
			fits = append(fits, v)
		}
	}
	slices.SortFunc(fits, func(a, b *semver.Version) int { return b.Compare(a) })
	if latest != nil {
		out.Latest = latest.Original()
	}
	for i, v := range fits {
		if i == 0 {
			out.Fits = v.Original()
		} else {
			out.Others = append(out.Others, v.Original())
		}
	}
	return out, nil
}

func main() {
	g := &registry{releases: published(), parse: semver.NewVersion}
	if service.After() {
		g.parse = semver.StrictNewVersion
	}
	http.HandleFunc("/resolve", func(w http.ResponseWriter, r *http.Request) {
		want, err := semver.NewConstraint(r.URL.Query().Get("want"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		got, err := g.resolve(r.URL.Query().Get("module"), want)
		if err != nil {
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(got)
	})
	service.Run(http.DefaultServeMux)
}

func published() map[string][]string {
	rnd := rand.New(rand.NewPCG(3, 4))
	out := map[string][]string{}
	for _, module := range []string{"router", "queue", "mailer", "ledger"} {
		for major := range 4 {
			for minor := range 10 {
				for patch := range 3 {
					text := fmt.Sprintf("%d.%d.%d", major, minor, patch)
					switch rnd.IntN(4) {
					case 0:
						text += fmt.Sprintf("-rc.%d", 1+rnd.IntN(3))
					case 1:
						text += fmt.Sprintf("+build.%d", rnd.IntN(9000))
					}
					out[module] = append(out[module], text)
				}
			}
		}
	}
	return out
}
