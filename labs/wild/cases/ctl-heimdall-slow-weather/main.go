// Weather for sailing clubs: a club's board asks what the wind will be at its jetty, which the weather office reckons as it is
// asked, in a process of its own. The connections to it are kept, and there are as many as are needed.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/gojek/heimdall/v7"
	"github.com/gojek/heimdall/v7/httpclient"

	"wild/service"
)

// wind is what is expected at an hour.
type wind struct {
	Hour  int     `json:"hour"`
	From  int     `json:"from_degrees"`
	Knots float64 `json:"knots"`
}

// board is what a club shows.
type board struct {
	Jetty   int    `json:"jetty"`
	Warning bool   `json:"warning"`
	Winds   []wind `json:"winds"`
}

// office asks the weather office.
type office struct {
	base   string
	client *httpclient.Client
}

var errJetty = errors.New("no such jetty")

func open(base string) office {
	pooled := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 128, IdleConnTimeout: time.Minute}, Timeout: 2 * time.Second}
	return office{base, httpclient.NewClient(
		httpclient.WithHTTPClient(pooled), httpclient.WithRetryCount(2),
		httpclient.WithRetrier(heimdall.NewRetrier(heimdall.NewConstantBackoff(5*time.Millisecond, 2*time.Millisecond))),
	)}
}

// ask gets the winds of a jetty.
func (o office) ask(jetty int) ([]wind, error) {
	resp, err := o.client.Get(fmt.Sprintf("%s/winds/%d", o.base, jetty), nil)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	switch {
	case err != nil:
		return nil, err
	case resp.StatusCode == http.StatusNotFound:
		return nil, errJetty
	case resp.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("the weather office: %s", resp.Status)
	}
	var out []wind
	return out, json.Unmarshal(data, &out)
}

func (o office) serve(w http.ResponseWriter, r *http.Request) {
	jetty, err := strconv.Atoi(r.PathValue("jetty"))
	if err != nil {
		http.Error(w, "a jetty is a number", http.StatusBadRequest)
		return
	}
	winds, err := o.ask(jetty)
	switch {
	case errors.Is(err, errJetty):
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	case err != nil:
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	out := board{Jetty: jetty, Winds: winds}
	for _, one := range winds {
		out.Warning = out.Warning || one.Knots > 27
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(out)
}

func main() {
	if os.Getenv("ROLE") == "weather" {
		serveWeather()
		return
	}
	o := open("http://" + service.Beside("weather"))
	mux := http.NewServeMux()
	mux.HandleFunc("GET /jetties/{jetty}", o.serve)
	service.Run(mux)
}

// serveWeather takes 30 ms to reckon the winds of a jetty.
func serveWeather() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("GET /winds/{jetty}", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(30 * time.Millisecond)
		jetty, err := strconv.Atoi(r.PathValue("jetty"))
		if err != nil || jetty < 0 || jetty > 500 {
			http.NotFound(w, r)
			return
		}
		var out []wind
		for hour := range 12 {
			out = append(out, wind{hour + 6, (jetty*17 + hour*20) % 360, float64((jetty*31+hour*13)%300) / 10})
		}
		json.NewEncoder(w).Encode(out)
	})
	go func() { log.Println(http.Serve(ln, nil)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
