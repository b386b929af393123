// Clicks of a web site: each one is checked, given a session and a channel, and encoded as
// Avro for the log that the analysts read.
package main

import (
	"encoding/binary"
	"encoding/json"
	"hash/fnv"
	"log"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/linkedin/goavro/v2"

	"wild/service"
)

const schema = `{
  "type": "record", "name": "Click", "namespace": "com.example.web",
  "fields": [
    {"name": "session", "type": "string"},
    {"name": "at", "type": "long"},
    {"name": "page", "type": {"type": "record", "name": "Page", "fields": [
      {"name": "host", "type": "string"},
      {"name": "path", "type": "string"},
      {"name": "query", "type": {"type": "map", "values": "string"}}
    ]}},
    {"name": "channel", "type": {"type": "enum", "name": "Channel", "symbols": ["DIRECT", "SEARCH", "MAIL", "PARTNER"]}},
    {"name": "referrer", "type": ["null", "string"], "default": null},
    {"name": "items", "type": {"type": "array", "items": {"type": "record", "name": "Item", "fields": [
      {"name": "sku", "type": "string"},
      {"name": "position", "type": "int"}
    ]}}}
  ]
}`

type click struct {
	User     string `json:"user"`
	URL      string `json:"url"`
	Referrer string `json:"referrer"`
	Items    []struct {
		SKU      string `json:"sku"`
		Position int    `json:"position"`
	} `json:"items"`
}

// journal is where records go: length, then bytes, in a ring of memory.
type journal struct {
	mu   sync.Mutex
	ring [1 << 20]byte
	at   int
	n    int64
}

func (j *journal) append(record []byte) int64 {
	var head [4]byte
	binary.BigEndian.PutUint32(head[:], uint32(len(record)))
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.at+len(head)+len(record) > len(j.ring) {
		j.at = 0
	}
	j.at += copy(j.ring[j.at:], head[:])
	j.at += copy(j.ring[j.at:], record)
	j.n++
	return j.n
}

// encoder makes bytes of a click.
type encoder struct{ codec *goavro.Codec }

func (e *encoder) encode(record map[string]any) ([]byte, error) {
	codec := e.codec
	if codec == nil {
		var err error
		if codec, err = goavro.NewCodec(schema); err != nil {
			return nil, err
		}
	}
	return codec.BinaryFromNative(nil, record)
}

func main() {
	var to journal
	var e encoder
	if service.After() {
		codec, err := goavro.NewCodec(schema)
		if err != nil {
			log.Fatal(err)
		}
		e.codec = codec
	}
	http.HandleFunc("POST /clicks", func(w http.ResponseWriter, r *http.Request) {
		var c click
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<10)).Decode(&c); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		record, err := native(c)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		data, err := e.encode(record)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]int64{"offset": to.append(data), "bytes": int64(len(data))})
	})
	service.Run(http.DefaultServeMux)
}

// native is a click as the codec takes it.
func native(c click) (map[string]any, error) {
	page, err := url.Parse(c.URL)
	if err != nil {
		return nil, err
	}
	query := map[string]any{}
	for name, values := range page.Query() {
		query[name] = strings.Join(values, ",")
	}
	items := make([]any, 0, len(c.Items))
	for _, i := range c.Items {
		items = append(items, map[string]any{"sku": i.SKU, "position": i.Position})
	}
	record := map[string]any{
		"session": session(c.User), "at": time.Now().UnixMilli(), "channel": channel(c.Referrer, page), "items": items, "referrer": nil,
		"page": map[string]any{"host": page.Host, "path": page.Path, "query": query},
	}
	if c.Referrer != "" {
		record["referrer"] = goavro.Union("string", c.Referrer)
	}
	return record, nil
}

func session(user string) string {
	h := fnv.New64a()
	h.Write([]byte(user))
	const digits = "0123456789abcdef"
	var out [16]byte
	for i, s := 0, h.Sum64(); i < len(out); i, s = i+1, s>>4 {
		out[i] = digits[s&15]
	}
	return string(out[:])
}

func channel(referrer string, page *url.URL) string {
	switch {
	case page.Query().Has("partner"):
		return "PARTNER"
	case strings.Contains(referrer, "mail."):
		return "MAIL"
	case strings.Contains(referrer, "search"):
		return "SEARCH"
	}
	return "DIRECT"
}
