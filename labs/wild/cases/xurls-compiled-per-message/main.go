// A chat, served over HTTP/2 in the clear: what is written is escaped for the page, and what
// looks like a link is made one by xurls.
package main

import (
	"encoding/json"
	"html"
	"log"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"

	"mvdan.cc/xurls/v2"

	"wild/service"
)

type message struct {
	Room string `json:"room"`
	From string `json:"from"`
	Text string `json:"text"`
}

type posted struct {
	Number int64    `json:"number"`
	HTML   string   `json:"html"`
	Links  []string `json:"links"`
}

func main() {
	var seq atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("POST /messages", func(w http.ResponseWriter, r *http.Request) {
		var m message
		if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		out := posted{Number: seq.Add(1)}
		out.HTML, out.Links = render(m.Text, xurls.Relaxed())
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(out)
	})
	srv := &http.Server{Handler: mux, Protocols: new(http.Protocols)}
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
}

// render is a message for the page, and the links in it.
func render(text string, link *regexp.Regexp) (string, []string) {
	var b strings.Builder
	var found []string
	at := 0
	for _, span := range link.FindAllStringIndex(text, -1) {
		url := text[span[0]:span[1]]
		b.WriteString(html.EscapeString(text[at:span[0]]))
		b.WriteString(`<a rel="nofollow" href="` + html.EscapeString(url) + `">` + html.EscapeString(url) + `</a>`)
		found = append(found, url)
		at = span[1]
	}
	b.WriteString(html.EscapeString(text[at:]))
	return b.String(), found
}
