// Command seed writes one block: 2000 series with two hours of samples, one in 15 s, that end at a
// fixed time.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/tsdb"
)

const (
	end  = 1767225600000 // 2026-01-01T00:00:00Z, ms
	step = 15000
)

func main() {
	if err := os.MkdirAll(os.Args[1], 0o755); err != nil {
		log.Fatal(err)
	}
	w, err := tsdb.NewBlockWriter(slog.New(slog.NewTextHandler(io.Discard, nil)), os.Args[1], 4*480*step)
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	a := w.Appender(ctx)
	for i := range 2000 {
		series := labels.FromStrings("__name__", "requests_total", "job", fmt.Sprint("job-", i%10),
			"instance", fmt.Sprintf("host-%d:9100", i%100), "path", fmt.Sprint("/p/", i))
		for n := range int64(480) {
			if _, err := a.Append(0, series, end-(480-n)*step, float64(n*int64(i%7+1))); err != nil {
				log.Fatal(err)
			}
		}
	}
	if err := a.Commit(); err != nil {
		log.Fatal(err)
	}
	if _, err := w.Flush(ctx); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
}
