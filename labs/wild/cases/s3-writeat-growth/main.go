// Counts of the log archives that lie in an object store, a process of its own: each request
// downloads one archive with the transfer manager of the AWS SDK and says how many lines of
// each level it has. Archives have about 2 MB.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/s3/manager"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"wild/service"
)

const (
	bucket   = "logs"
	archives = 8
	usual    = 2 << 20
)

var levels = []string{"DEBUG", "INFO", "WARN", "ERROR"}

type counter struct {
	downloads *manager.Downloader
	buffer    func() *manager.WriteAtBuffer
}

func (c *counter) fetch(ctx context.Context, key string) ([]byte, error) {
	b := c.buffer()
	_, err := c.downloads.Download(ctx, b, &s3.GetObjectInput{Bucket: aws.String(bucket), Key: aws.String(key)})
	return b.Bytes(), err
}

func (c *counter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text, err := c.fetch(r.Context(), r.URL.Query().Get("archive"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	counts := make(map[string]int, len(levels))
	for _, level := range levels {
		counts[level] = bytes.Count(text, []byte(" "+level+" "))
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(counts)
}

func main() {
	if os.Getenv("ROLE") == "store" {
		store()
		return
	}
	client := s3.New(s3.Options{
		Region:       "eu-central-1",
		BaseEndpoint: aws.String("http://" + service.Beside("store")),
		UsePathStyle: true,
		Credentials:  aws.AnonymousCredentials{},
		HTTPClient:   &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true}},
	})
	c := &counter{downloads: manager.NewDownloader(client)}
	c.buffer = func() *manager.WriteAtBuffer { return manager.NewWriteAtBuffer(nil) }
	if service.After() {
		c.buffer = func() *manager.WriteAtBuffer { return manager.NewWriteAtBuffer(make([]byte, 0, usual+usual/8)) }
	}
	mux := http.NewServeMux()
	mux.Handle("/levels", c)
	service.Run(mux)
}

// store answers GET /logs/archive-N.
func store() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	day := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	mux := http.NewServeMux()
	for i := range archives {
		var text bytes.Buffer
		for n := 0; text.Len() < usual-i<<14; n++ {
			fmt.Fprintf(&text, "%s %s request %d of user %d took %d ms\n",
				day.Add(time.Duration(n)*time.Second).Format(time.RFC3339), levels[n*(i+3)%len(levels)], n, n*7919%1000, n%97)
		}
		name := fmt.Sprintf("archive-%d", i)
		mux.HandleFunc("/"+bucket+"/"+name, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("ETag", fmt.Sprintf("%q", name))
			http.ServeContent(w, r, "", day, bytes.NewReader(text.Bytes()))
		})
	}
	go http.Serve(ln, mux)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
