// A check of addresses before a sign-up: the rules were brought from elsewhere, with a
// look-ahead, so that they are matched by regexp2. A few of the addresses are long and wrong.
package main

import (
	"encoding/json"
	"net/http"

	"github.com/dlclark/regexp2"

	"wild/service"
)

func main() {
	rule := regexp2.MustCompile(`^(?=.{3,64}$)([a-z0-9]+[._-]?)+@example\.org$`, regexp2.None)
	if service.After() { // the same addresses, by one way each
		rule = regexp2.MustCompile(`^(?=.{3,64}$)[a-z0-9]+([._-][a-z0-9]+)*[._-]?@example\.org$`, regexp2.None)
	}
	http.HandleFunc("/check/{address}", func(w http.ResponseWriter, r *http.Request) {
		ok, err := rule.MatchString(r.PathValue("address"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]bool{"ok": ok})
	})
	service.Run(http.DefaultServeMux)
}
