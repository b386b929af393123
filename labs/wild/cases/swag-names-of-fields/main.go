// Types from tables, over HTTP/2 in the clear: for the columns of a table the service says which Go type goes with it, with a field for each
// and how it is named in JSON.
package main

import (
	"fmt"
	"log"
	"net/http"
	"strings"

	"github.com/go-openapi/swag"

	"wild/service"
)

var kinds = map[string]string{"int": "int64", "text": "string", "bool": "bool", "time": "time.Time", "num": "float64"}

// structOf is the type of a table: columns are NAME KIND, with commas between them.
func structOf(table, columns string) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "// %s is a row of %s.\ntype %[1]s struct {\n", swag.ToGoName(table), table)
	for column := range strings.SplitSeq(columns, ",") {
		name, kind, _ := strings.Cut(column, " ")
		t, ok := kinds[kind]
		if name == "" || !ok {
			return "", fmt.Errorf("%q is no column", column)
		}
		fmt.Fprintf(&b, "\t%s %s `json:%q db:%q`\n", swag.ToGoName(name), t, swag.ToJSONName(name), name)
	}
	b.WriteString("}\n")
	return b.String(), nil
}

func serve(w http.ResponseWriter, r *http.Request) {
	columns := r.URL.Query().Get("columns")
	if columns == "" {
		http.Error(w, "of which columns?", http.StatusBadRequest)
		return
	}
	out, err := structOf(r.PathValue("table"), columns)
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	fmt.Fprint(w, out)
}

func main() {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /tables/{table}/type", serve)
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	protocols.SetUnencryptedHTTP2(true)
	srv := &http.Server{Handler: mux, Protocols: &protocols}
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
}
