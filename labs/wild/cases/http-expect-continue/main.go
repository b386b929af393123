// Scans of letters are put into a store over HTTP, most of them small, one in eighty a whole
// batch. The store asks a batch to be announced, so that one too many could be refused before it is
// sent; it stands behind an old proxy and answers in 3 ms. It is a process of its own.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"wild/service"
)

const (
	letter = 24 << 10
	batch  = 1200 << 10
	large  = 1 << 20
)

func main() {
	if os.Getenv("ROLE") == "store" {
		store()
		return
	}
	base := "http://" + service.Beside("store") + "/scans/"
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 64
	announce := !service.After()
	client := &http.Client{Transport: transport}
	pages := bytes.Repeat([]byte("a page of a letter, as the scanner saw it\n"), batch/42+1)
	put := func(ctx context.Context, key string, data []byte) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodPut, base+key, bytes.NewReader(data))
		if err != nil {
			return err
		}
		req.Header.Set("Content-Type", "image/tiff")
		if announce && len(data) > large {
			req.Header.Set("Expect", "100-continue")
		}
		res, err := client.Do(req)
		if err != nil {
			return err
		}
		defer res.Body.Close()
		if _, err := io.Copy(io.Discard, res.Body); err != nil {
			return err
		}
		if res.StatusCode != http.StatusOK {
			return errors.New(res.Status)
		}
		return nil
	}
	var last atomic.Int64
	http.HandleFunc("/scan", func(w http.ResponseWriter, r *http.Request) {
		n := last.Add(1)
		data := pages[:letter]
		if n%80 == 0 {
			data = pages[:batch]
		}
		key := "scan-" + strconv.FormatInt(n, 10)
		if err := put(r.Context(), key, data); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"key": key, "bytes": len(data)})
	})
	service.Run(http.DefaultServeMux)
}

func store() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			go serve(c)
		}
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

// serve takes in objects as a server of HTTP/1.0 would: it waits for the whole of a request.
func serve(c net.Conn) {
	defer c.Close()
	in := bufio.NewReaderSize(c, 64<<10)
	for {
		r, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return
		}
		time.Sleep(3 * time.Millisecond)
		_, err = fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
		if err != nil {
			return
		}
	}
}
