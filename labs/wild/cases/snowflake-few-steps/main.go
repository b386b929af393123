// Numbers for events: a request brings some events of a device, each of which gets a number of
// Snowflake and is kept in a ring for those that follow the device. As there were to be many
// nodes, the number has many bits for the node and few for the step.
package main

import (
	"encoding/json"
	"net/http"
	"sync"

	"github.com/bwmarrin/snowflake"

	"wild/service"
)

type event struct {
	Number snowflake.ID `json:"number"`
	Kind   string       `json:"kind"`
	Value  float64      `json:"value"`
}

type intake struct {
	node *snowflake.Node
	mu   sync.Mutex
	ring [4096]event
	next int
}

func (i *intake) take(events []event) {
	for n := range events {
		events[n].Number = i.node.Generate()
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, e := range events {
		i.ring[i.next] = e
		i.next = (i.next + 1) % len(i.ring)
	}
}

func main() {
	snowflake.NodeBits, snowflake.StepBits = 16, 6
	if service.After() {
		snowflake.NodeBits, snowflake.StepBits = 10, 12
	}
	node, err := snowflake.NewNode(17)
	if err != nil {
		panic(err)
	}
	i := &intake{node: node}
	http.HandleFunc("/events", func(w http.ResponseWriter, r *http.Request) {
		var events []event
		if err := json.NewDecoder(r.Body).Decode(&events); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		i.take(events)
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(events)
	})
	service.Run(http.DefaultServeMux)
}
