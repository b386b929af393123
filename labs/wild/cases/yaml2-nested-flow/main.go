// A linter for manifests that users upload: it says how deep a document is nested.
package main

import (
	"fmt"
	"io"
	"net/http"

	"gopkg.in/yaml.v2"

	"wild/service"
)

func main() {
	mux := http.NewServeMux()
	mux.HandleFunc("/lint", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil {
			http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
			return
		}
		var doc any
		if err := yaml.Unmarshal(body, &doc); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		fmt.Fprintf(w, "depth %d\n", depth(doc))
	})
	service.Run(mux)
}

func depth(v any) int {
	deepest := 0
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			deepest = max(deepest, depth(e)+1)
		}
	case map[any]any:
		for _, e := range v {
			deepest = max(deepest, depth(e)+1)
		}
	}
	return deepest
}
