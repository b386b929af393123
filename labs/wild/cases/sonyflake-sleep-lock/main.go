// An import endpoint: a request brings sixteen documents and gives each an id.
// One generator makes 256 ids in 10 ms; then it sleeps, and holds its lock.
package main

import (
	"encoding/json"
	"log"
	"net/http"
	"sync/atomic"

	"github.com/sony/sonyflake"
	"wild/service"
)

const documents = 16

func main() {
	generators := 1
	if service.After() {
		// Each has a machine id of its own, so that ids stay unique.
		generators = 32
	}
	ids := make([]*sonyflake.Sonyflake, generators)
	for i := range ids {
		machine := uint16(i + 1)
		ids[i] = sonyflake.NewSonyflake(sonyflake.Settings{MachineID: func() (uint16, error) { return machine, nil }})
		if ids[i] == nil {
			log.Fatal("the generator has no valid settings")
		}
	}

	var seq atomic.Uint64
	mux := http.NewServeMux()
	mux.HandleFunc("/import", func(w http.ResponseWriter, r *http.Request) {
		gen := ids[seq.Add(1)%uint64(len(ids))]
		list := make([]uint64, documents)
		for i := range list {
			id, err := gen.NextID()
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			list[i] = id
		}
		json.NewEncoder(w).Encode(list)
	})
	service.Run(mux)
}
