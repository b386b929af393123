// Orders that a wholesaler's shops send in: what comes in is passed on as it is, to the warehouse that the order names, and two of its fields say
// which that is and how soon.
package main

import (
	"io"
	"net/http"
	"sync/atomic"

	jsoniter "github.com/json-iterator/go"

	"wild/service"
)

// wholesaler counts what goes where.
type wholesaler struct{ urgent, others atomic.Int64 }

// where an order goes, and how soon.
func where(order []byte) (warehouse string, urgent bool, err error) {
	if service.After() {
		delivery := jsoniter.Get(order, "delivery")
		return delivery.Get("warehouse").ToString(), delivery.Get("urgent").ToBool(), delivery.LastError()
	}
	var whole map[string]any
	if err := jsoniter.Unmarshal(order, &whole); err != nil {
		return "", false, err
	}
	delivery, _ := whole["delivery"].(map[string]any)
	warehouse, _ = delivery["warehouse"].(string)
	urgent, _ = delivery["urgent"].(bool)
	return warehouse, urgent, nil
}

func (s *wholesaler) serve(w http.ResponseWriter, r *http.Request) {
	order, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	warehouse, urgent, err := where(order)
	if err != nil || warehouse == "" {
		http.Error(w, "where to?", http.StatusBadRequest)
		return
	}
	if urgent {
		s.urgent.Add(1)
	} else {
		s.others.Add(1)
	}
	w.WriteHeader(http.StatusAccepted)
	io.WriteString(w, warehouse+"\n")
}

func main() {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders", new(wholesaler).serve)
	service.Run(mux)
}
