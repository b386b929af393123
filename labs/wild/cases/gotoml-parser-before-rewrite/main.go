// Registry of packages of a company: a build server sends the manifest of what it built, the registry looks at what it needs and
// says whether it may be published.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/pelletier/go-toml/v2"

	"wild/service"
)

// manifest is what a package says of itself.
type manifest struct {
	Package struct {
		Name        string    `toml:"name"`
		Version     string    `toml:"version"`
		Description string    `toml:"description"`
		Authors     []string  `toml:"authors"`
		Keywords    []string  `toml:"keywords"`
		Built       time.Time `toml:"built"`
		Publish     bool      `toml:"publish"`
	} `toml:"package"`
	Needs    map[string]need     `toml:"needs"`
	Features map[string][]string `toml:"features"`
	Targets  []target            `toml:"target"`
	Files    []file              `toml:"file"`
}

type need struct {
	Version  string   `toml:"version"`
	Registry string   `toml:"registry"`
	Optional bool     `toml:"optional"`
	Features []string `toml:"features"`
}

type target struct {
	Name  string            `toml:"name"`
	Path  string            `toml:"path"`
	Level int               `toml:"level"`
	Flags []string          `toml:"flags"`
	Env   map[string]string `toml:"env"`
}

type file struct {
	Path  string  `toml:"path"`
	Size  int64   `toml:"size"`
	Sum   string  `toml:"sum"`
	Ratio float64 `toml:"ratio"`
}

// registry knows the newest version of each package.
type registry struct {
	mu     sync.Mutex
	newest map[string]string
}

// verdict is what a build server gets to know.
type verdict struct {
	Package string   `json:"package"`
	Needs   int      `json:"needs"`
	Bytes   int64    `json:"bytes"`
	Before  string   `json:"before,omitempty"`
	Why     []string `json:"why,omitempty"`
}

// look says whether a package may be published.
func (g *registry) look(m *manifest) *verdict {
	v := &verdict{Package: m.Package.Name + "@" + m.Package.Version, Needs: len(m.Needs)}
	for name, n := range m.Needs {
		if n.Registry == "" && !n.Optional && !strings.HasPrefix(name, "std-") {
			v.Why = append(v.Why, name+" has no registry")
		}
	}
	for _, f := range m.Files {
		v.Bytes += f.Size
		if len(f.Sum) != 40 {
			v.Why = append(v.Why, f.Path+" has no sum")
		}
	}
	if len(v.Why) == 0 && m.Package.Publish {
		g.mu.Lock()
		defer g.mu.Unlock()
		v.Before = g.newest[m.Package.Name]
		g.newest[m.Package.Name] = m.Package.Version
	}
	return v
}

func (g *registry) take(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 256<<10))
	if err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	var m manifest
	if err := toml.Unmarshal(text, &m); err != nil {
		http.Error(w, fmt.Sprintf("manifest: %v", err), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(g.look(&m))
}

func main() {
	g := &registry{newest: map[string]string{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /packages", g.take)
	srv := &http.Server{Handler: mux, Protocols: new(http.Protocols)}
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
}
