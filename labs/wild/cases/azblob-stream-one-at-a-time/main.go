// Exports of a library's catalogue: an export is written as it is made into a blob of a storage account, which is in
// another region and a process of its own.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"

	"wild/service"
)

// catalogue has what is exported.
type catalogue struct {
	blobs   *azblob.Client
	shelves map[string]string // the lines of a shelf
	made    atomic.Int64
}

// export is what was written.
type export struct {
	Blob  string `json:"blob"`
	Bytes int64  `json:"bytes"`
	Sum   uint32 `json:"sum"`
}

var errAbsent = errors.New("no such shelf")

func open(account string) (*catalogue, error) {
	c, err := azblob.NewClientWithNoCredential("http://"+account+"/exports/", &azblob.ClientOptions{ClientOptions: azcore.ClientOptions{
		Transport: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64, WriteBufferSize: 256 << 10}},
		Retry:     policy.RetryOptions{MaxRetries: 1},
	}})
	k := &catalogue{blobs: c, shelves: map[string]string{}}
	for i := range 40 {
		var lines strings.Builder
		for line := 0; lines.Len() < (1800+i*40)<<10; line++ {
			fmt.Fprintf(&lines, "%d;%d;Author %d;Title of book %d on shelf %d;%d;de\n", i, line, line%977, line, i, 1900+line%120)
		}
		k.shelves[fmt.Sprintf("s%02d", i)] = lines.String()
	}
	return k, err
}

// summed passes on what is read, and sums it up.
type summed struct {
	from io.Reader
	n    int64
	sum  uint32
}

func (s *summed) Read(b []byte) (int, error) {
	n, err := s.from.Read(b)
	s.n += int64(n)
	s.sum = crc32.Update(s.sum, crc32.IEEETable, b[:n])
	return n, err
}

func (k *catalogue) export(ctx context.Context, shelf string) (export, error) {
	lines, ok := k.shelves[shelf]
	if !ok {
		return export{}, errAbsent
	}
	name := fmt.Sprintf("%s-%06d.csv", shelf, k.made.Add(1))
	text := &summed{from: io.MultiReader(strings.NewReader("shelf;line;author;title;year;language\n"), strings.NewReader(lines), strings.NewReader(lines))}
	if _, err := k.blobs.UploadStream(ctx, "catalogue", name, text, nil); err != nil {
		return export{}, err
	}
	return export{name, text.n, text.sum}, nil
}

func main() {
	if os.Getenv("ROLE") == "account" {
		serveAccount()
		return
	}
	k, err := open(service.Beside("account"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /shelves/{shelf}/exports", func(w http.ResponseWriter, r *http.Request) {
		out, err := k.export(r.Context(), r.PathValue("shelf"))
		switch {
		case errors.Is(err, errAbsent):
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		case err != nil:
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		json.NewEncoder(w).Encode(out)
	})
	service.Run(mux)
}

// serveAccount stands for a storage account: what it is sent is stored 60 ms after it came.
func serveAccount() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("PUT /exports/catalogue/{blob}", func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		time.Sleep(60 * time.Millisecond)
		w.Header().Set("ETag", `"0x8DD0A1B2C3D4E5F"`)
		w.Header().Set("Last-Modified", time.Now().UTC().Format(http.TimeFormat))
		w.Header().Set("x-ms-request-server-encrypted", "true")
		w.WriteHeader(http.StatusCreated)
	})
	go func() { log.Println(http.Serve(ln, nil)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
