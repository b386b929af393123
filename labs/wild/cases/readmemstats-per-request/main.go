// An ingest endpoint that refuses work when its heap is too large, and looks at the
// heap before each request.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"runtime"
	"runtime/metrics"
	"strconv"
	"sync/atomic"

	"wild/service"
)

const mostHeap = 2 << 30

type event struct {
	ID    int64             `json:"id"`
	Kind  string            `json:"kind"`
	Attrs map[string]string `json:"attrs"`
}

func main() {
	sizes := make([][]byte, 2000) // what the service keeps: 32 MB in pieces
	for i := range sizes {
		sizes[i] = make([]byte, 16<<10)
	}
	var seq atomic.Int64
	http.HandleFunc("/ingest", func(w http.ResponseWriter, r *http.Request) {
		if heap() > mostHeap {
			http.Error(w, "too much memory in use", http.StatusServiceUnavailable)
			return
		}
		n := seq.Add(1)
		e := event{ID: n, Kind: "click", Attrs: map[string]string{"page": strconv.FormatInt(n%97, 10), "lang": "en"}}
		text, err := json.Marshal(e)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		copy(sizes[n%int64(len(sizes))], text)
		fmt.Fprintln(w, len(text))
	})
	service.Run(http.DefaultServeMux)
}

// heap is how many bytes of objects there are.
func heap() uint64 {
	if service.After() {
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
