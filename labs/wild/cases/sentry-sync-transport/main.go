// Payments, with Sentry: each that is refused is told to it as an event. Sentry is a process of
// its own, 10 ms away.
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"github.com/getsentry/sentry-go"
	sentryhttp "github.com/getsentry/sentry-go/http"

	"wild/service"
)

func main() {
	if os.Getenv("ROLE") == "sentry" {
		collector()
		return
	}
	var transport sentry.Transport = sentry.NewHTTPSyncTransport()
	if service.After() {
		transport = sentry.NewHTTPTransport()
	}
	err := sentry.Init(sentry.ClientOptions{
		Dsn:           "http://key@" + service.Beside("sentry") + "/1",
		Transport:     transport,
		HTTPTransport: &http.Transport{MaxIdleConnsPerHost: 64, IdleConnTimeout: time.Minute},
	})
	if err != nil {
		log.Fatal(err)
	}
	var seq atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("/pay", func(w http.ResponseWriter, r *http.Request) {
		n := seq.Add(1)
		if n%4 == 0 {
			sentry.GetHubFromContext(r.Context()).CaptureMessage(fmt.Sprintf("payment %d was refused", n))
			fmt.Fprintln(w, "refused")
			return
		}
		fmt.Fprintln(w, "paid")
	})
	service.Run(sentryhttp.New(sentryhttp.Options{}).Handle(mux))
}

func collector() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		time.Sleep(10 * time.Millisecond)
		fmt.Fprintln(w, "{}")
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
