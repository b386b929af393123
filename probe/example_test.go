package probe_test

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"runtime"

	"github.com/unpark-go/unpark/probe"
)

// One line in main. Without UNPARK_PROBE in the environment it does nothing.
func ExampleStart() {
	probe.Start()

	http.HandleFunc("GET /price/{id}", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, "price of", r.PathValue("id"))
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:8080", nil))
}

// A service with a block profile rate of its own declares it, because the runtime
// does not tell it; it is what a lease of the rate ends with.
func ExampleOptions() {
	const rate = 10_000 // ns
	runtime.SetBlockProfileRate(rate)
	probe.Start(probe.Options{BlockProfileRate: rate})
}

// Requests are marked by route while a measurement runs; answers stay what they are.
func ExampleHandler() {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /price/{id}", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, "price of", r.PathValue("id"))
	})
	// In a service: http.ListenAndServe(addr, probe.Handler(mux)).
	server := httptest.NewServer(probe.Handler(mux))
	defer server.Close()

	resp, err := http.Get(server.URL + "/price/7")
	if err != nil {
		log.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s", body)
	// Output: price of 7
}
