// Tolls of a bridge: each lane sends what passed, a line each, and is told what it has to take. Lines are read by a
// scanner whose buffer is kept for the next request.
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"sync"

	"wild/service"
)

// classes are what vehicles pay, in cents, and for each axle more than two.
var classes = map[string][2]int{"bike": {150, 0}, "car": {420, 180}, "van": {640, 210}, "truck": {1280, 340}, "bus": {980, 260}}

// buffers are kept between requests.
var buffers = sync.Pool{New: func() any { b := make([]byte, 32<<10); return &b }}

// lane is the sum of what passed.
type lane struct {
	vehicles, refused, cents int
	heaviest                 int
}

// pass adds a vehicle: its class, its axles, its weight.
func (l *lane) pass(line []byte) {
	class, rest, ok := bytes.Cut(line, []byte(" "))
	axles, weight, okRest := bytes.Cut(rest, []byte(" "))
	toll, known := classes[string(class)]
	n, err := strconv.Atoi(string(axles))
	kilos, errKilos := strconv.Atoi(string(weight))
	if !ok || !okRest || !known || err != nil || errKilos != nil || n < 2 {
		l.refused++
		return
	}
	l.vehicles++
	l.cents += toll[0] + (n-2)*toll[1]
	l.heaviest = max(l.heaviest, kilos)
}

func receive(w http.ResponseWriter, r *http.Request) {
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	in := bufio.NewScanner(r.Body)
	in.Buffer(*buffer, len(*buffer))
	var l lane
	for in.Scan() {
		if line := bytes.TrimSpace(in.Bytes()); len(line) > 0 {
			l.pass(line)
		}
	}
	if err := in.Err(); err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"lane":%q,"vehicles":%d,"refused":%d,"cents":%d,"heaviest":%d}`, r.PathValue("lane"), l.vehicles, l.refused, l.cents, l.heaviest)
}

func main() {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /lanes/{lane}", receive)
	service.Run(mux)
}
