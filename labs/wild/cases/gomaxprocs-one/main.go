// Statements of accounts, written as text, compressed and signed for the archive. The
// container had a single core once, and the program was told to use no more.
package main

import (
	"bytes"
	"compress/gzip"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"runtime"
	"strconv"
	"sync"

	"wild/service"
)

const bookings = 1200

// writers are kept, as each has large tables of its own.
var writers = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

func main() {
	if !service.After() {
		runtime.GOMAXPROCS(1)
	}
	key := []byte("archive of 2026")
	http.HandleFunc("/statement", func(w http.ResponseWriter, r *http.Request) {
		account, err := strconv.Atoi(r.URL.Query().Get("account"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		packed, err := statement(account)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		mac := hmac.New(sha256.New, key)
		mac.Write(packed)
		w.Header().Set("Content-Type", "application/gzip")
		w.Header().Set("X-Signature", hex.EncodeToString(mac.Sum(nil)))
		w.Write(packed)
	})
	service.Run(http.DefaultServeMux)
}

func statement(account int) ([]byte, error) {
	var packed bytes.Buffer
	z := writers.Get().(*gzip.Writer)
	defer writers.Put(z)
	z.Reset(&packed)
	fmt.Fprintf(z, "Statement of account %d\n\n", account)
	balance := 100_000
	for i := range bookings {
		cents := (account*7919+i*104729)%20_000 - 9_900
		balance += cents
		fmt.Fprintf(z, "2026-%02d-%02d  reference %08d  %10.2f  %12.2f\n", i/250%12+1, i%28+1, account*bookings+i, float64(cents)/100, float64(balance)/100)
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}
