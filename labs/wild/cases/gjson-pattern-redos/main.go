// A log viewer: clients say by a gjson pattern which lines of a document they want.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/tidwall/gjson"

	"wild/service"
)

func main() {
	var doc strings.Builder
	doc.WriteString(`{"lines":[`)
	for i := range 40 {
		if i > 0 {
			doc.WriteByte(',')
		}
		line := "the request was answered"
		if i == 7 {
			line = strings.Repeat("a", 60) // what a client sent
		}
		fmt.Fprintf(&doc, `{"n":%d,"text":"%s"}`, i, line)
	}
	doc.WriteString(`]}`)
	text := doc.String()

	http.HandleFunc("/grep", func(w http.ResponseWriter, r *http.Request) {
		pattern := r.URL.Query().Get("pattern")
		found := gjson.Get(text, `lines.#(text%"`+strings.ReplaceAll(pattern, `"`, "")+`")#.n`)
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]int{"found": len(found.Array())})
	})
	service.Run(http.DefaultServeMux)
}
