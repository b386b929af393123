// Appointments of a clinic: whether an hour is free says the partner that keeps the calendar, which takes its time. What
// fails is asked once more, within a limit of time, and a breaker spares a partner that is down. It is a process of its own.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/failsafe-go/failsafe-go/failsafehttp"
	"github.com/failsafe-go/failsafe-go/timeout"

	"wild/service"
)

// hour is one of a doctor.
type hour struct {
	Doctor int  `json:"doctor"`
	Day    int  `json:"day"`
	Hour   int  `json:"hour"`
	Free   bool `json:"free"`
}

// clinic asks the partner.
type clinic struct {
	partner string
	client  *http.Client
}

func open(partner string) *clinic {
	again := failsafehttp.NewRetryPolicyBuilder().WithMaxRetries(1).WithDelay(20 * time.Millisecond).Build()
	breaker := circuitbreaker.NewBuilder[*http.Response]().
		HandleIf(func(r *http.Response, err error) bool {
			return err != nil || r.StatusCode >= http.StatusInternalServerError
		}).
		WithFailureThresholdRatio(20, 50).WithDelay(time.Second).Build()
	policies := []failsafe.Policy[*http.Response]{again, breaker, timeout.New[*http.Response](2 * time.Second)}
	kept := &http.Transport{MaxIdleConns: 128, MaxIdleConnsPerHost: 128}
	return &clinic{partner, &http.Client{Transport: failsafehttp.NewRoundTripper(kept, policies...)}}
}

func (c *clinic) hour(ctx context.Context, h hour) (hour, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("http://%s/calendars/%d/%d/%d", c.partner, h.Doctor, h.Day, h.Hour), http.NoBody)
	if err != nil {
		return h, err
	}
	resp, err := c.client.Do(req)
	if err != nil {
		return h, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return h, err
	}
	return h, json.Unmarshal(data, &h.Free)
}

func main() {
	if os.Getenv("ROLE") == "partner" {
		servePartner()
		return
	}
	c := open(service.Beside("partner"))
	mux := http.NewServeMux()
	mux.HandleFunc("GET /doctors/{doctor}/days/{day}/hours/{hour}", func(w http.ResponseWriter, r *http.Request) {
		var h hour
		for name, to := range map[string]*int{"doctor": &h.Doctor, "day": &h.Day, "hour": &h.Hour} {
			n, err := strconv.Atoi(r.PathValue(name))
			if err != nil {
				http.Error(w, name+" is a number", http.StatusBadRequest)
				return
			}
			*to = n
		}
		h, err := c.hour(r.Context(), h)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(h)
	})
	service.Run(mux)
}

// servePartner takes 25 ms, for as many requests as come.
func servePartner() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("GET /calendars/{doctor}/{day}/{hour}", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(25 * time.Millisecond)
		n, _ := strconv.Atoi(r.PathValue("hour"))
		fmt.Fprint(w, n%3 != 0)
	})
	go func() { log.Println(http.Serve(ln, nil)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
