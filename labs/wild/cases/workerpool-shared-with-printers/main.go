// Labels of a warehouse: a label is laid out here, which takes a processor, and is printed by a printer of its hall, which answers over
// the network in 8 ms. What is done for labels is done by a pool of workers.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/gammazero/workerpool"

	"wild/service"
)

// warehouse prints labels.
type warehouse struct {
	workers  *workerpool.WorkerPool // lay out
	printing *workerpool.WorkerPool
	client   *http.Client
	printers string
}

func open(address string) *warehouse {
	h := &warehouse{
		workers:  workerpool.New(runtime.NumCPU()),
		client:   &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second},
		printers: "http://" + address,
	}
	h.printing = h.workers
	if service.After() {
		h.printing = workerpool.New(48)
	}
	return h
}

// layout is a label in the language of printers.
func layout(parcel, hall int) []byte {
	var b bytes.Buffer
	b.WriteString("^XA\n")
	for i, line := range []string{"Example Parcels", fmt.Sprintf("Hall %d", hall), fmt.Sprintf("Parcel %09d", parcel), strings.Repeat("=", 30)} {
		fmt.Fprintf(&b, "^FO40,%d^A0N,32^FD%s^FS\n", 40+i*44, line)
	}
	sum := crc32.ChecksumIEEE(b.Bytes())
	for i := range 24 {
		fmt.Fprintf(&b, "^FO%d,260^GB%d,120,%d^FS\n", 40+i*12, 2+sum>>i&3, 2+sum>>i&3)
	}
	b.WriteString("^XZ\n")
	return b.Bytes()
}

// print has a printer print a label.
func (h *warehouse) print(hall int, label []byte) error {
	resp, err := h.client.Post(fmt.Sprintf("%s/halls/%d", h.printers, hall), "text/plain", bytes.NewReader(label))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

func (h *warehouse) serve(w http.ResponseWriter, r *http.Request) {
	parcel, err := strconv.Atoi(r.PathValue("parcel"))
	hall, err2 := strconv.Atoi(r.URL.Query().Get("hall"))
	if err != nil || err2 != nil {
		http.Error(w, "which parcel, and in which hall?", http.StatusBadRequest)
		return
	}
	var label []byte
	h.workers.SubmitWait(func() { label = layout(parcel, hall) })
	h.printing.SubmitWait(func() { err = h.print(hall, label) })
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]int{"parcel": parcel, "hall": hall, "bytes": len(label)})
}

func main() {
	if os.Getenv("ROLE") == "printers" {
		printers()
		return
	}
	h := open(service.Beside("printers"))
	mux := http.NewServeMux()
	mux.HandleFunc("POST /parcels/{parcel}/label", h.serve)
	mux.HandleFunc("GET /waiting", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, h.workers.WaitingQueueSize()+h.printing.WaitingQueueSize())
	})
	service.Run(mux)
}

// printers take labels.
func printers() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := io.Copy(io.Discard, r.Body)
		time.Sleep(8 * time.Millisecond)
		fmt.Fprintln(w, n)
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
