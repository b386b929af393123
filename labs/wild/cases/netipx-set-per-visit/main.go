// Visits to a journal: libraries have subscribed to it for their networks, and a reader who comes from one of them may read all of it. Some
// networks are parts of others, and some addresses were taken out again.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/netip"

	"go4.org/netipx"

	"wild/service"
)

// journal knows who has subscribed.
type journal struct {
	networks []netip.Prefix
	without  []netip.Addr
	readers  *netipx.IPSet // made once, if it is
}

// set is the addresses that may read.
func (j *journal) set() (*netipx.IPSet, error) {
	var b netipx.IPSetBuilder
	for _, p := range j.networks {
		b.AddPrefix(p)
	}
	for _, a := range j.without {
		b.Remove(a)
	}
	return b.IPSet()
}

func open() (*journal, error) {
	j := &journal{}
	for i := range 120 {
		p, err := netip.ParsePrefix(fmt.Sprintf("10.%d.%d.0/%d", i*7%256, i*13%256, 20+i%6))
		if err != nil {
			return nil, err
		}
		j.networks = append(j.networks, p.Masked())
		if i%5 == 0 {
			j.without = append(j.without, p.Masked().Addr().Next())
		}
	}
	if !service.After() {
		return j, nil
	}
	var err error
	j.readers, err = j.set()
	return j, err
}

// may says whether an address may read.
func (j *journal) may(from netip.Addr) (bool, error) {
	readers := j.readers
	if readers == nil {
		var err error
		if readers, err = j.set(); err != nil {
			return false, err
		}
	}
	return readers.Contains(from), nil
}

func (j *journal) serve(w http.ResponseWriter, r *http.Request) {
	from, err := netip.ParseAddr(r.PathValue("address"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	ok, err := j.may(from)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"from": from, "all": ok})
}

func main() {
	j, err := open()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /visits/{address}", j.serve)
	srv := &http.Server{Handler: mux, Protocols: new(http.Protocols)}
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
}
