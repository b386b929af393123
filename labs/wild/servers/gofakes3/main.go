// Command gofakes3 is the S3 server of gofakes3 with its bolt backend.
package main

import (
	"flag"
	"log"
	"net/http"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3bolt"
)

func main() {
	address := flag.String("listen", "127.0.0.1:9000", "address")
	file := flag.String("db", "s3.db", "database")
	flag.Parse()
	backend, err := s3bolt.NewFile(*file)
	if err != nil {
		log.Fatal(err)
	}
	s3 := gofakes3.New(backend, gofakes3.WithLogger(gofakes3.DiscardLog()))
	log.Fatal(http.ListenAndServe(*address, s3.Server()))
}
