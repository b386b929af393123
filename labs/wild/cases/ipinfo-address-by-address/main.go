// Logins of a bank account, as its owner sees them: each is told with the place that its address is at, which IPinfo knows, a process elsewhere,
// which takes 2 ms for an answer.
package main

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/ipinfo/go/v2/ipinfo"

	"wild/service"
)

// login is one of an account's.
type login struct {
	Address string `json:"address"`
	City    string `json:"city"`
	Country string `json:"country"`
}

// accounts has the logins of all.
type accounts struct{ places *ipinfo.Client }

func open(address string) (*accounts, error) {
	base, err := url.Parse("http://" + address + "/")
	if err != nil {
		return nil, err
	}
	client := ipinfo.NewClient(&http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second}, nil, "bank")
	client.BaseURL = base
	return &accounts{client}, nil
}

// addresses are those that an account was used from last.
func addresses(account string) []net.IP {
	h := fnv.New64a()
	var out []net.IP
	for i := range 8 {
		fmt.Fprint(h, account, i)
		sum := h.Sum64()
		out = append(out, net.IPv4(80+byte(sum%16), byte(sum>>8), byte(sum>>16), byte(sum>>24)))
	}
	return out
}

// logins says where an account was used.
func (a *accounts) logins(account string) ([]login, error) {
	var out []login
	ips := addresses(account)
	if service.After() {
		found, err := a.places.GetIPInfoBatch(ips, ipinfo.BatchReqOpts{})
		if err != nil {
			return nil, err
		}
		for _, ip := range ips {
			if at := found[ip.String()]; at != nil {
				out = append(out, login{ip.String(), at.City, at.CountryName})
			}
		}
		return out, nil
	}
	for _, ip := range ips {
		at, err := a.places.GetIPInfo(ip)
		if err != nil {
			return nil, err
		}
		out = append(out, login{ip.String(), at.City, at.CountryName})
	}
	return out, nil
}

func (a *accounts) serve(w http.ResponseWriter, r *http.Request) {
	out, err := a.logins(r.PathValue("account"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(out)
}

func main() {
	if os.Getenv("ROLE") == "ipinfo" {
		places()
		return
	}
	a, err := open(service.Beside("ipinfo"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /accounts/{account}/logins", a.serve)
	service.Run(mux)
}

// places knows where addresses are.
func places() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	cities := [][2]string{{"Lyon", "FR"}, {"Bergen", "NO"}, {"Porto", "PT"}, {"Gdansk", "PL"}, {"Graz", "AT"}}
	at := func(ip string) map[string]string {
		city := cities[len(ip)%len(cities)]
		return map[string]string{"ip": ip, "city": city[0], "country": city[1], "timezone": "Europe/Paris"}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{ip}", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(2 * time.Millisecond)
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(at(r.PathValue("ip")))
	})
	mux.HandleFunc("POST /batch", func(w http.ResponseWriter, r *http.Request) {
		var ips []string
		if err := json.NewDecoder(r.Body).Decode(&ips); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		time.Sleep(2 * time.Millisecond)
		out := map[string]any{}
		for _, ip := range ips {
			out[ip] = at(ip)
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(out)
	})
	go http.Serve(ln, mux)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
