// A hit counter that says which browser a visitor has.
package main

import (
	"fmt"
	"net/http"

	"github.com/ua-parser/uap-go/uaparser"

	"wild/service"
)

func main() {
	parser := uaparser.NewFromSaved()
	mux := http.NewServeMux()
	mux.HandleFunc("/hit", func(w http.ResponseWriter, r *http.Request) {
		client := parser.Parse(r.URL.Query().Get("ua"))
		fmt.Fprintf(w, "%s on %s, %s\n", client.UserAgent.Family, client.Os.Family, client.Device.Family)
	})
	service.Run(mux)
}
