// Command seed writes 300 000 lines of a day's log, of 40 hosts and three services, and
// makes the file that the load sends: 500 lines without a time, which the server takes as
// written now.
package main

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	"os"
	"time"
)

const (
	lines = 300_000
	batch = 5_000
	// insert names the fields that tell a stream, the time and the message.
	insert = "/insert/jsonline?_stream_fields=service,host&_time_field=time&_msg_field=message"
)

var (
	services = []string{"orders", "payments", "stock"}
	levels   = []string{"info", "info", "info", "info", "debug", "warn", "error"}
	day      = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
)

func main() {
	url, file := os.Args[1], os.Args[2]
	source := rand.New(rand.NewPCG(1, 2))
	var load bytes.Buffer
	for range 500 {
		line(&load, source, "")
	}
	if err := os.WriteFile(file, load.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
	for first := 0; first < lines; first += batch {
		var body bytes.Buffer
		for i := first; i < first+batch; i++ {
			at := day.Add(time.Duration(i) * 24 * time.Hour / lines)
			line(&body, source, fmt.Sprintf(`"time":%q,`, at.Format(time.RFC3339Nano)))
		}
		post(url+insert, &body)
	}
	post(url+"/internal/force_flush", http.NoBody)
}

// line appends one entry. A request is said in words, so that it has to be searched for.
func line(out *bytes.Buffer, source *rand.Rand, at string) {
	level := levels[source.IntN(len(levels))]
	said := fmt.Sprintf("request of user %d answered in %dms with %d bytes", source.IntN(50_000), source.IntN(400), source.IntN(20_000))
	if level == "error" {
		said = fmt.Sprintf("request of user %d failed after %dms: connection to shard %d was refused, attempt %d", source.IntN(50_000), source.IntN(20_000), source.IntN(64), source.IntN(5))
	}
	fmt.Fprintf(out, `{%s"service":%q,"host":"host-%d","level":%q,"path":"/v1/%s/%d","trace":"%016x%016x","duration_ms":%d,"message":%q}`+"\n",
		at, services[source.IntN(len(services))], source.IntN(40), level, services[source.IntN(len(services))], source.IntN(300),
		source.Uint64(), source.Uint64(), source.IntN(20_000), said)
}

func post(url string, body io.Reader) {
	resp, err := http.Post(url, "application/stream+json", body)
	if err != nil {
		log.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode/100 != 2 {
		log.Fatal(url, ": ", resp.Status)
	}
}
