// Notes of a practice, indexed as they are written: each is turned into a document and sent to
// Elasticsearch, compressed, as the link to the cluster is paid by the byte. The cluster is a
// process of its own that takes everything.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/elastic/go-elasticsearch/v8"

	"wild/service"
)

type note struct {
	Patient string   `json:"patient"`
	Text    string   `json:"text"`
	Tags    []string `json:"tags"`
	Words   int      `json:"words"`
	Written string   `json:"written"`
}

type practice struct{ search *elasticsearch.Client }

func (p practice) write(w http.ResponseWriter, r *http.Request) {
	var n note
	if err := json.NewDecoder(r.Body).Decode(&n); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	n.Words, n.Written = len(strings.Fields(n.Text)), time.Now().Format(time.RFC3339)
	body, err := json.Marshal(n)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	resp, err := p.search.Index("notes", bytes.NewReader(body), p.search.Index.WithContext(r.Context()))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer resp.Body.Close()
	var done struct {
		ID string `json:"_id"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&done); err != nil || resp.IsError() {
		http.Error(w, "not indexed", http.StatusBadGateway)
		return
	}
	fmt.Fprintln(w, done.ID)
}

func main() {
	if os.Getenv("ROLE") == "elasticsearch" {
		cluster()
		return
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 64
	search, err := elasticsearch.NewClient(elasticsearch.Config{
		Addresses:           []string{"http://" + service.Beside("elasticsearch")},
		Transport:           transport,
		CompressRequestBody: true,
		PoolCompressor:      service.After(),
	})
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/notes", practice{search}.write)
	service.Run(http.DefaultServeMux)
}

func cluster() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("X-Elastic-Product", "Elasticsearch")
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		io.WriteString(w, `{"_index":"notes","_id":"f3Jk2","_version":1,"result":"created"}`)
	})
	go http.Serve(ln, nil)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
