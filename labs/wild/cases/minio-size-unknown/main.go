// Thumbnails that are handed in and put into an object store with minio-go. The store, a process of
// its own, speaks as much of the protocol of S3 as this needs.
package main

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"wild/service"
)

func main() {
	if os.Getenv("ROLE") == "store" {
		store()
		return
	}
	client, err := minio.New(service.Beside("store"), &minio.Options{
		Creds:        credentials.NewStaticV4("app", "secret", ""),
		Region:       "eu-central-1",
		BucketLookup: minio.BucketLookupPath,
	})
	if err != nil {
		log.Fatal(err)
	}
	size := func(*http.Request) int64 { return -1 }
	if service.After() {
		size = func(r *http.Request) int64 { return r.ContentLength }
	}
	var last atomic.Int64
	http.HandleFunc("POST /thumbnails", func(w http.ResponseWriter, r *http.Request) {
		name := "thumb-" + strconv.FormatInt(last.Add(1)%1000, 10)
		info, err := client.PutObject(r.Context(), "thumbnails", name, r.Body, size(r), minio.PutObjectOptions{
			ContentType: "image/jpeg",
			PartSize:    16 << 20,
		})
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"name": name, "etag": info.ETag})
	})
	service.Run(http.DefaultServeMux)
}

func store() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() { log.Println(http.Serve(ln, http.HandlerFunc(object))) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

type started struct {
	XMLName  xml.Name `xml:"InitiateMultipartUploadResult"`
	Bucket   string
	Key      string
	UploadId string
}

type completed struct {
	XMLName xml.Name `xml:"CompleteMultipartUploadResult"`
	Bucket  string
	Key     string
	ETag    string
}

func object(w http.ResponseWriter, r *http.Request) {
	io.Copy(io.Discard, r.Body)
	bucket, key, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	const etag = `"9bb58f26192e4ba00f01e2e7b136bbd8"`
	switch {
	case r.Method == http.MethodPut:
		w.Header().Set("ETag", etag)
	case r.Method == http.MethodPost && r.URL.Query().Has("uploads"):
		w.Header().Set("Content-Type", "application/xml")
		xml.NewEncoder(w).Encode(started{Bucket: bucket, Key: key, UploadId: "upload-1"})
	case r.Method == http.MethodPost:
		w.Header().Set("Content-Type", "application/xml")
		xml.NewEncoder(w).Encode(completed{Bucket: bucket, Key: key, ETag: etag})
	default:
		http.NotFound(w, r)
	}
}
