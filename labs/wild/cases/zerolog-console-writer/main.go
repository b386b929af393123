// A service that writes a few lines of log for each request, through zerolog.
package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"wild/service"
)

func main() {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		log.Fatal(err)
	}
	var out io.Writer = zerolog.ConsoleWriter{Out: null, NoColor: true, TimeFormat: time.RFC3339}
	if service.After() {
		out = null
	}
	logger := zerolog.New(out).With().Timestamp().Str("service", "orders").Logger()
	var seq atomic.Int64
	http.HandleFunc("/order", func(w http.ResponseWriter, r *http.Request) {
		id := seq.Add(1)
		l := logger.With().Int64("order", id).Str("path", r.URL.Path).Logger()
		for step := range 12 {
			l.Info().Int("step", step).Dur("took", 3*time.Millisecond).Bool("cached", step%2 == 0).Msg("step done")
		}
		fmt.Fprintln(w, id)
	})
	service.Run(http.DefaultServeMux)
}
