// Documents out of archives that lie in an object store: each day's are in one ZIP file, and a
// request asks for one of them. The store, a process of its own, takes 3 ms for a request.
package main

import (
	"archive/zip"
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"log"
	"math/rand"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"wild/service"
)

const documents = 5

func main() {
	if os.Getenv("ROLE") == "store" {
		store()
		return
	}
	client, err := minio.New(service.Beside("store"), &minio.Options{
		Creds:  credentials.NewStaticV4("archive", "secret", ""),
		Region: "eu-central-1",
	})
	if err != nil {
		log.Fatal(err)
	}
	open := func(o *minio.Object) (*zip.Reader, error) {
		info, err := o.Stat()
		if err != nil {
			return nil, err
		}
		return zip.NewReader(o, info.Size)
	}
	if service.After() {
		open = func(o *minio.Object) (*zip.Reader, error) {
			data, err := io.ReadAll(o)
			if err != nil {
				return nil, err
			}
			return zip.NewReader(bytes.NewReader(data), int64(len(data)))
		}
	}
	var turn atomic.Int64
	http.HandleFunc("/document", func(w http.ResponseWriter, r *http.Request) {
		n := turn.Add(1)
		object, err := client.GetObject(r.Context(), "archive", fmt.Sprintf("2026/01/%02d.zip", n%28+1), minio.GetObjectOptions{})
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer object.Close()
		archive, err := open(object)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		f, err := archive.Open(fmt.Sprintf("letter-%d.txt", n%documents))
		if err != nil {
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		}
		defer f.Close()
		w.Header().Set("Content-Type", "text/plain")
		if _, err := io.Copy(w, f); err != nil {
			panic(http.ErrAbortHandler)
		}
	})
	service.Run(http.DefaultServeMux)
}

func store() {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	words := rand.New(rand.NewSource(1))
	for i := range documents {
		f, err := z.Create(fmt.Sprintf("letter-%d.txt", i))
		if err != nil {
			log.Fatal(err)
		}
		text := make([]byte, 20<<10)
		words.Read(text)
		io.WriteString(f, hex.EncodeToString(text))
	}
	if err := z.Close(); err != nil {
		log.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	changed := time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(3 * time.Millisecond)
		if !strings.HasPrefix(r.URL.Path, "/archive/2026/") {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("ETag", `"5d41402abc4b2a76b9719d911017c592"`)
		w.Header().Set("Content-Type", "application/zip")
		http.ServeContent(w, r, "", changed, bytes.NewReader(b.Bytes()))
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
