//go:build go1.23

package probe

import "net/http"

// pattern returns what a ServeMux around this handler matched.
func pattern(r *http.Request) string { return r.Pattern }

func giveBack(r, marked *http.Request) {
	r.MultipartForm = marked.MultipartForm
	r.Pattern = marked.Pattern
}
