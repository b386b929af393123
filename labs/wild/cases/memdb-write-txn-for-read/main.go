// A register of hosts in go-memdb. A lookup reads a host and then asks the health
// service, a process of its own, how it is, all inside of one transaction.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-memdb"

	"wild/service"
)

type host struct {
	Name string
	Zone string
}

func main() {
	if os.Getenv("ROLE") == "health" {
		health()
		return
	}
	db, err := memdb.NewMemDB(&memdb.DBSchema{Tables: map[string]*memdb.TableSchema{
		"host": {Name: "host", Indexes: map[string]*memdb.IndexSchema{
			"id": {Name: "id", Unique: true, Indexer: &memdb.StringFieldIndex{Field: "Name"}},
		}},
	}})
	if err != nil {
		log.Fatal(err)
	}
	txn := db.Txn(true)
	for i := range 1000 {
		if err := txn.Insert("host", host{Name: "host-" + strconv.Itoa(i), Zone: "z" + strconv.Itoa(i%3)}); err != nil {
			log.Fatal(err)
		}
	}
	txn.Commit()

	write := !service.After() // a lookup needs no write transaction
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second}
	address := service.Beside("health")
	var seq atomic.Int64
	http.HandleFunc("/host", func(w http.ResponseWriter, r *http.Request) {
		txn := db.Txn(write)
		defer txn.Abort()
		found, err := txn.First("host", "id", "host-"+strconv.FormatInt(seq.Add(1)%1000, 10))
		if err != nil || found == nil {
			http.NotFound(w, r)
			return
		}
		h := found.(host)
		resp, err := client.Get("http://" + address + "/?host=" + h.Name)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		state, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]string{"host": h.Name, "zone": h.Zone, "state": string(state)})
	})
	service.Run(http.DefaultServeMux)
}

func health() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(3 * time.Millisecond)
		io.WriteString(w, "passing")
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
