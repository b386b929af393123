// A zone editor's API: a request brings the text of a few records; each is parsed
// and checked, and comes back in its canonical form.
package main

import (
	"fmt"
	"net/http"
	"strconv"
	"sync/atomic"

	"github.com/miekg/dns"
	"wild/service"
)

const records = 24

func main() {
	var seq atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("/records", func(w http.ResponseWriter, r *http.Request) {
		n := int(seq.Add(1))
		for i := 0; i < records; i++ {
			rr, err := dns.NewRR(record(n + i))
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			fmt.Fprintln(w, rr.Header().Name, rr.Header().Ttl)
		}
	})
	service.Run(mux)
}

func record(n int) string {
	host := "host-" + strconv.Itoa(n%9000) + ".example.org."
	switch n % 4 {
	case 0:
		return host + " 3600 IN A 192.0.2." + strconv.Itoa(n%256)
	case 1:
		return host + " 300 IN MX 10 mail.example.org."
	case 2:
		return host + ` 60 IN TXT "v=spf1 include:_spf.example.net" "~all"`
	}
	return "_sip._tcp." + host + " 3600 IN SRV 10 60 5060 sip.example.org."
}
