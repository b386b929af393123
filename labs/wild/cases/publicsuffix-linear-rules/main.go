// A service that says which domain of an owner a host name belongs to, as a certificate
// authority needs it for its limits of one domain: each request names a few hosts.
package main

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/weppos/publicsuffix-go/publicsuffix"

	"wild/service"
)

func main() {
	http.HandleFunc("/domains", func(w http.ResponseWriter, r *http.Request) {
		domains := make(map[string]string)
		for _, host := range strings.Split(r.URL.Query().Get("hosts"), ",") {
			domain, err := publicsuffix.Domain(host)
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			domains[host] = domain
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(domains)
	})
	service.Run(http.DefaultServeMux)
}
