// The preview of a comment: HTML that a user wrote comes in, and goes out again
// without what must not be in it.
package main

import (
	"io"
	"net/http"

	"github.com/microcosm-cc/bluemonday"

	"wild/service"
)

func main() {
	policy := bluemonday.UGCPolicy
	if service.After() {
		once := bluemonday.UGCPolicy()
		policy = func() *bluemonday.Policy { return once }
	}
	http.HandleFunc("POST /preview", func(w http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 64<<10))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Write(policy().SanitizeBytes(text))
	})
	service.Run(http.DefaultServeMux)
}
