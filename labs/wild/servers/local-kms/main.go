// Command local-kms is Local KMS: keys of a cloud's key management, in LevelDB.
package main

import (
	"flag"
	"net/http"

	"github.com/nsmithuk/local-kms/src"
	"github.com/nsmithuk/local-kms/src/config"
)

func main() {
	port := flag.String("port", "8080", "port of the HTTP interface")
	data := flag.String("data", "data", "folder of the keys")
	seed := flag.String("seed", "seed.yaml", "keys to begin with")
	flag.Parse()
	config.AWSAccountId, config.AWSRegion, config.DatabasePath = "111122223333", "eu-west-2", *data
	// The server has no answer of 2xx without a body; it serves what the default mux has.
	http.HandleFunc("GET /ready", func(http.ResponseWriter, *http.Request) {})
	src.Run(*port, *seed)
}
