// Receipts of tills, each put into a bucket as an object of its own as soon as it comes in. The
// store, a process of its own, speaks the JSON API of Cloud Storage.
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"cloud.google.com/go/storage"
	"google.golang.org/api/option"

	"wild/service"
)

type receipt struct {
	Till  int       `json:"till"`
	Taken time.Time `json:"taken"`
	Lines []struct {
		Text  string `json:"text"`
		Cents int    `json:"cents"`
	} `json:"lines"`
	Total int `json:"total"`
}

func main() {
	if os.Getenv("ROLE") == "store" {
		store()
		return
	}
	os.Setenv("STORAGE_EMULATOR_HOST", service.Beside("store"))
	client, err := storage.NewClient(context.Background(), option.WithoutAuthentication())
	if err != nil {
		log.Fatal(err)
	}
	bucket := client.Bucket("receipts")
	http.HandleFunc("/receipts", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		var in receipt
		if err := json.Unmarshal(body, &in); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		for _, l := range in.Lines {
			in.Total += l.Cents
		}
		out, err := json.Marshal(in)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		sum := sha256.Sum256(out)
		name := hex.EncodeToString(sum[:])
		object := bucket.Object(name).NewWriter(r.Context())
		object.ContentType = "application/json"
		if service.After() {
			object.ChunkSize = 256 << 10
		}
		if _, err := io.Copy(object, bytes.NewReader(out)); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		if err := object.Close(); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"name": name, "total": in.Total})
	})
	service.Run(http.DefaultServeMux)
}

func store() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := io.Copy(io.Discard, r.Body)
		time.Sleep(time.Millisecond)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"kind":"storage#object","bucket":"receipts","name":"receipt","size":"%d","generation":"1"}`, n)
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
