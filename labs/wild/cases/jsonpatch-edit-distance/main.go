// A webhook that a cluster asks before it takes a pod: it adds a sidecar, and to each container the
// names of the services that it may call, and answers with a JSON patch. Here it shows what it would
// do to a deployment that it knows.
package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"sort"
	"strings"

	"gomodules.xyz/jsonpatch/v2"

	"wild/service"
)

type variable struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type port struct {
	Name   string `json:"name"`
	Number int    `json:"containerPort"`
}

type container struct {
	Name  string     `json:"name"`
	Image string     `json:"image"`
	Env   []variable `json:"env,omitempty"`
	Ports []port     `json:"ports,omitempty"`
}

type pod struct {
	Kind     string `json:"kind"`
	Metadata struct {
		Name        string            `json:"name"`
		Labels      map[string]string `json:"labels"`
		Annotations map[string]string `json:"annotations,omitempty"`
	} `json:"metadata"`
	Spec struct {
		Containers []container `json:"containers"`
	} `json:"spec"`
}

// injector knows the deployments, as they were sent.
type injector struct {
	pods  map[string][]byte
	mesh  []variable
	image string
}

// review returns the patch for a pod.
func (i *injector) review(raw []byte) ([]byte, error) {
	var p pod
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, err
	}
	if p.Metadata.Labels["mesh"] == "off" {
		return []byte("[]"), nil
	}
	i.inject(&p)
	changed, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	operations, err := jsonpatch.CreatePatch(raw, changed)
	if err != nil {
		return nil, err
	}
	return json.Marshal(operations)
}

// inject changes a pod as the mesh wants it.
func (i *injector) inject(p *pod) {
	if p.Metadata.Annotations == nil {
		p.Metadata.Annotations = map[string]string{}
	}
	p.Metadata.Annotations["mesh.example/status"] = "injected"
	for n := range p.Spec.Containers {
		c := &p.Spec.Containers[n]
		c.Env = merge(c.Env, i.mesh)
	}
	p.Spec.Containers = append(p.Spec.Containers, container{
		Name: "mesh-proxy", Image: i.image, Env: i.mesh, Ports: []port{{"inbound", 15006}, {"admin", 15000}},
	})
}

// merge adds what is not there yet; later ones win.
func merge(have, add []variable) []variable {
	at := make(map[string]int, len(have))
	out := append([]variable(nil), have...)
	for n, v := range out {
		at[v.Name] = n
	}
	for _, v := range add {
		if n, ok := at[v.Name]; ok {
			out[n] = v
			continue
		}
		out = append(out, v)
	}
	return out
}

// known are a few deployments of a shop.
func known() map[string][]byte {
	pods := map[string][]byte{}
	for n, name := range []string{"basket", "search", "stock", "mail"} {
		var p pod
		p.Kind = "Pod"
		p.Metadata.Name = name
		p.Metadata.Labels = map[string]string{"app": name, "team": "shop", "tier": fmt.Sprint(n)}
		env := []variable{{"LOG_LEVEL", "info"}, {"REGION", "eu-north"}}
		for k := range 60 + 10*n {
			env = append(env, variable{fmt.Sprintf("%s_SETTING_%d", strings.ToUpper(name), k), fmt.Sprintf("value-%d", k*k)})
		}
		sort.Slice(env, func(a, b int) bool { return env[a].Name < env[b].Name })
		p.Spec.Containers = []container{
			{Name: name, Image: "registry.example/" + name + ":4", Env: env, Ports: []port{{"http", 8080}}},
			{Name: "logs", Image: "registry.example/logs:2", Env: env[:8]},
		}
		raw, err := json.Marshal(p)
		if err != nil {
			log.Fatal(err)
		}
		pods[name] = raw
	}
	return pods
}

func main() {
	i := &injector{pods: known(), image: "registry.example/mesh-proxy:1.9"}
	for _, name := range []string{"ACCOUNT", "BASKET", "MAIL", "PRICE", "SEARCH", "STOCK"} {
		i.mesh = append(i.mesh, variable{"MESH_" + name + "_URL", "http://127.0.0.1:15001/" + strings.ToLower(name)})
	}
	http.HandleFunc("/preview", func(w http.ResponseWriter, r *http.Request) {
		raw, ok := i.pods[r.URL.Query().Get("deployment")]
		if !ok {
			http.Error(w, "no such deployment", http.StatusNotFound)
			return
		}
		patch, err := i.review(raw)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{
			"kind":     "AdmissionReview",
			"response": map[string]any{"allowed": true, "patchType": "JSONPatch", "patch": base64.StdEncoding.EncodeToString(patch)},
		})
	})
	service.Run(http.DefaultServeMux)
}
