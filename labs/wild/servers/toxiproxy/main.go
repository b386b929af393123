// Command toxiproxy is Toxiproxy: a proxy of TCP connections that makes them as bad as it is told to.
package main

import (
	"flag"
	"os"

	"github.com/Shopify/toxiproxy/v2"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"
)

func main() {
	port := flag.String("port", "8474", "port of the API")
	flag.Parse()
	logger := zerolog.New(os.Stdout).With().Caller().Timestamp().Logger()
	toxiproxy.NewServer(toxiproxy.NewMetricsContainer(prometheus.NewRegistry()), logger).Listen("127.0.0.1", *port)
}
