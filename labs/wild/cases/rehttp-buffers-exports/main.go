// Exports of a notary: what was written of a case is packed into sealed parts, and sent to an archive, a process of its own, by a client
// that asks again where it was not answered.
package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/PuerkitoBio/rehttp"

	"wild/service"
)

const part = 64 << 10

// notary has cases, each of many sealed parts.
type notary struct {
	parts   [][]byte
	archive string
	client  *http.Client
}

func open(address string) *notary {
	retry := rehttp.NewTransport(
		&http.Transport{MaxIdleConnsPerHost: 32},
		rehttp.RetryAll(rehttp.RetryMaxRetries(2), rehttp.RetryTemporaryErr()),
		rehttp.ConstDelay(50*time.Millisecond),
	)
	retry.PreventRetryWithBody = service.After()
	n := &notary{archive: "http://" + address, client: &http.Client{Transport: retry, Timeout: 20 * time.Second}}
	for i := range 256 {
		p := make([]byte, part)
		for j := 0; j < part; j += 8 {
			binary.LittleEndian.PutUint64(p[j:], uint64(i)*0x9E3779B97F4A7C15+uint64(j)*0xBF58476D1CE4E5B9)
		}
		n.parts = append(n.parts, p)
	}
	return n
}

// export is what there is of a case, as it is sent: a head and its parts, one after the other.
func (n *notary) export(number int) (io.Reader, int64) {
	count := 40 + number%48
	head := make([]byte, 16)
	binary.LittleEndian.PutUint64(head, uint64(number))
	binary.LittleEndian.PutUint32(head[8:], uint32(count))
	binary.LittleEndian.PutUint32(head[12:], crc32.ChecksumIEEE(head[:12]))
	all := []io.Reader{bytes.NewReader(head)}
	for i := range count {
		all = append(all, bytes.NewReader(n.parts[(number*13+i)%len(n.parts)]))
	}
	return io.MultiReader(all...), int64(len(head) + count*part)
}

func (n *notary) serve(w http.ResponseWriter, r *http.Request) {
	number, err := strconv.Atoi(r.PathValue("case"))
	if err != nil || number < 0 {
		http.Error(w, "there is no such case", http.StatusNotFound)
		return
	}
	body, size := n.export(number)
	req, err := http.NewRequestWithContext(r.Context(), http.MethodPut, fmt.Sprintf("%s/cases/%d", n.archive, number), body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	req.ContentLength = size
	resp, err := n.client.Do(req)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer resp.Body.Close()
	stored, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusCreated {
		http.Error(w, "the archive did not take it", http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"case": number, "size": size, "stored": string(stored)})
}

func main() {
	if os.Getenv("ROLE") == "archive" {
		archive()
		return
	}
	n := open(service.Beside("archive"))
	mux := http.NewServeMux()
	mux.HandleFunc("POST /cases/{case}/export", n.serve)
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	service.Run(mux)
}

// archive takes what it is sent, and says how much that was.
func archive() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, err := io.Copy(io.Discard, r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.WriteHeader(http.StatusCreated)
		fmt.Fprint(w, n)
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
