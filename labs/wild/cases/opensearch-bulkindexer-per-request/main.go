// Events of a plant: a gateway sends what its machines reported, some lines at a time, which are put into OpenSearch
// before it is told that they were taken. OpenSearch is a process of its own.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/opensearch-project/opensearch-go/v4"
	"github.com/opensearch-project/opensearch-go/v4/opensearchapi"
	"github.com/opensearch-project/opensearch-go/v4/opensearchutil"

	"wild/service"
)

// event is what a machine reported.
type event struct {
	Machine string    `json:"machine"`
	Code    int       `json:"code"`
	Text    string    `json:"text"`
	At      time.Time `json:"at"`
}

// archive has the events.
type archive struct {
	client *opensearchapi.Client
	taken  atomic.Int64
}

var errRefused = errors.New("not all events were taken")

func open(address string) (*archive, error) {
	c, err := opensearchapi.NewClient(opensearchapi.Config{Client: opensearch.Config{
		Addresses: []string{"http://" + address},
		Transport: &http.Transport{MaxIdleConnsPerHost: 64},
	}})
	return &archive{client: c}, err
}

// put has events in the index when it returns.
func (a *archive) put(ctx context.Context, index string, events []event) error {
	cfg := opensearchutil.BulkIndexerConfig{Client: a.client, Index: index}
	if service.After() {
		cfg.NumWorkers, cfg.FlushBytes = 1, 64<<10
	}
	bulk, err := opensearchutil.NewBulkIndexer(cfg)
	if err != nil {
		return err
	}
	for _, e := range events {
		line, err := json.Marshal(e)
		if err != nil {
			return err
		}
		if err := bulk.Add(ctx, opensearchutil.BulkIndexerItem{Action: "index", Body: strings.NewReader(string(line))}); err != nil {
			return err
		}
	}
	if err := bulk.Close(ctx); err != nil {
		return err
	}
	stats := bulk.Stats()
	a.taken.Add(int64(stats.NumIndexed))
	if stats.NumFailed > 0 || stats.NumFlushed != uint64(len(events)) {
		return errRefused
	}
	return nil
}

func main() {
	if os.Getenv("ROLE") == "opensearch" {
		serveSearch()
		return
	}
	a, err := open(service.Beside("opensearch"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /plants/{plant}/events", func(w http.ResponseWriter, r *http.Request) {
		var events []event
		if err := json.NewDecoder(io.LimitReader(r.Body, 1<<20)).Decode(&events); err != nil || len(events) == 0 {
			http.Error(w, "some events are asked for", http.StatusBadRequest)
			return
		}
		now := time.Now().UTC()
		for i := range events {
			if events[i].At.IsZero() {
				events[i].At = now
			}
		}
		if err := a.put(r.Context(), "events-"+r.PathValue("plant"), events); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"taken":%d}`, len(events))
	})
	mux.HandleFunc("GET /taken", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, a.taken.Load()) })
	service.Run(mux)
}

// serveSearch stands for OpenSearch: it takes a millisecond for what it is sent.
func serveSearch() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	bulk := func(w http.ResponseWriter, r *http.Request) {
		n := 0
		for lines := bufio.NewScanner(r.Body); lines.Scan(); n++ {
		}
		time.Sleep(time.Millisecond)
		var out strings.Builder
		out.WriteString(`{"took":1,"errors":false,"items":[`)
		for i := range n / 2 {
			if i > 0 {
				out.WriteByte(',')
			}
			fmt.Fprintf(&out, `{"index":{"_index":"events","_id":"e%d","_version":1,"result":"created","_shards":{"total":1,"successful":1,"failed":0},"_seq_no":%d,"_primary_term":1,"status":201}}`, i, i)
		}
		out.WriteString("]}")
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, out.String())
	}
	http.HandleFunc("/{index}/_bulk", bulk)
	http.HandleFunc("/_bulk", bulk)
	http.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"name":"one","cluster_name":"plant","version":{"distribution":"opensearch","number":"3.1.0"}}`)
	})
	go func() { log.Println(http.Serve(ln, nil)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
