// Events of shops are brought into the form that the warehouse takes: those that came
// before are told by a Bloom filter, the others are rewritten by a jq program that was
// compiled at the start.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/bits-and-blooms/bloom/v3"
	"github.com/itchyny/gojq"

	"wild/service"
)

const program = `{
	id, shop: .shop.name,
	cents: ([.lines[] | .count * .cents] | add),
	lines: [.lines[] | select(.count > 0) | {sku, count}],
	tags: (.tags | map(ascii_downcase) | unique)
}`

func main() {
	query, err := gojq.Parse(program)
	if err != nil {
		log.Fatal(err)
	}
	code, err := gojq.Compile(query)
	if err != nil {
		log.Fatal(err)
	}
	var (
		mu   sync.RWMutex
		seen = bloom.NewWithEstimates(1_000_000, 0.001)
		seq  atomic.Int64
	)
	for i := range 100_000 {
		seen.AddString("event-" + strconv.Itoa(i*3))
	}
	http.HandleFunc("/event", func(w http.ResponseWriter, r *http.Request) {
		var event map[string]any
		if err := json.Unmarshal(incoming(int(seq.Add(1))), &event); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		mu.RLock()
		repeated := seen.TestString(event["id"].(string))
		mu.RUnlock()
		w.Header().Set("Content-Type", "application/json")
		enc := json.NewEncoder(w)
		if repeated {
			enc.Encode(map[string]any{"id": event["id"], "repeated": true})
			return
		}
		out, _ := code.RunWithContext(r.Context(), event).Next()
		if err, ok := out.(error); ok {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
			return
		}
		enc.Encode(out)
	})
	service.Run(http.DefaultServeMux)
}

// incoming is an event as a shop sends it.
func incoming(n int) []byte {
	b := fmt.Appendf(nil, `{"id":"event-%d","shop":{"name":"shop %d","city":"Bern"},"tags":["New","Web","B2C","new"],"lines":[`, n, n%90)
	for i := range 8 {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, `{"sku":"sku-%d","count":%d,"cents":%d}`, n*7+i, (n+i)%4, 100+n*31%900)
	}
	return append(b, "]}"...)
}
