// The door of a cluster: lists of workloads that teams hand in are parsed with
// goccy/go-yaml and checked against the rules of the house before they are let in.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/goccy/go-yaml"

	"wild/service"
)

const limit = 64 << 10

type list struct {
	Kind  string     `yaml:"kind"`
	Team  string     `yaml:"team"`
	Items []workload `yaml:"items"`
}

type workload struct {
	Name     string `yaml:"name"`
	Image    string `yaml:"image"`
	Replicas int    `yaml:"replicas"`
	Ports    []struct {
		ContainerPort int    `yaml:"containerPort"`
		Protocol      string `yaml:"protocol"`
	} `yaml:"ports"`
	Env []struct {
		Name  string `yaml:"name"`
		Value string `yaml:"value"`
	} `yaml:"env"`
}

type verdict struct {
	Team     string   `json:"team"`
	Replicas int      `json:"replicas"`
	Images   []string `json:"images"`
	Faults   []string `json:"faults,omitempty"`
}

func main() {
	http.HandleFunc("/workloads", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(io.LimitReader(r.Body, limit))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		var l list
		if err := yaml.Unmarshal(body, &l); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(check(l))
	})
	service.Run(http.DefaultServeMux)
}

// check holds a list against the rules of the house.
func check(l list) verdict {
	v := verdict{Team: l.Team}
	taken := make(map[int]string)
	for _, item := range l.Items {
		v.Replicas += item.Replicas
		v.Images = append(v.Images, item.Image)
		if !strings.HasPrefix(item.Image, "registry.example.com/"+l.Team+"/") {
			v.Faults = append(v.Faults, item.Name+": an image of another team")
		}
		if strings.HasSuffix(item.Image, ":latest") {
			v.Faults = append(v.Faults, item.Name+": an image without a version")
		}
		for _, p := range item.Ports {
			if other, ok := taken[p.ContainerPort]; ok {
				v.Faults = append(v.Faults, fmt.Sprintf("%s: port %d is that of %s", item.Name, p.ContainerPort, other))
			}
			taken[p.ContainerPort] = item.Name
		}
		for _, e := range item.Env {
			if strings.Contains(e.Name, "PASSWORD") {
				v.Faults = append(v.Faults, item.Name+": a password")
			}
		}
	}
	return v
}
