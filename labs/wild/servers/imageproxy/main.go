// Command imageproxy is imageproxy with its cache in memory; the caches of clouds are left out.
package main

import (
	"flag"
	"log"
	"net/http"

	"github.com/die-net/lrucache"
	"willnorris.com/go/imageproxy"
)

func main() {
	address := flag.String("addr", "localhost:8080", "TCP address to listen on")
	size := flag.Int64("memory", 100, "megabytes of the cache")
	flag.Parse()
	log.Fatal(http.ListenAndServe(*address, imageproxy.NewProxy(nil, lrucache.New(*size*1e6, 0))))
}
