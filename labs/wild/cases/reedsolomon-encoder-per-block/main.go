// A vault of documents: each is spread over sixty disks, twenty of which may fail. Three have failed, and until they are
// replaced what was on them is computed from the others whenever a document is read.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"log"
	"net/http"
	"strconv"

	"github.com/klauspost/reedsolomon"

	"wild/service"
)

const data, parity, documents = 40, 20, 200

// vault has disks, each with a part of each document.
type vault struct {
	parts  [documents][][]byte
	coder  reedsolomon.Encoder
	failed map[int]bool
}

// fill writes documents, of 24 KB to 64 KB.
func fill() (*vault, error) {
	coder, err := reedsolomon.New(data, parity)
	if err != nil {
		return nil, err
	}
	v := &vault{coder: coder, failed: map[int]bool{2: true, 17: true, 31: true}}
	for d := range v.parts {
		text := bytes.Repeat([]byte(fmt.Sprintf("document %d, page %d. ", d, d%7)), 24<<10/22+d*9)
		parts, err := coder.Split(text)
		if err != nil {
			return nil, err
		}
		if err := coder.Encode(parts); err != nil {
			return nil, err
		}
		v.parts[d] = parts
	}
	return v, nil
}

// coderOf is what computes parts of a document.
func (v *vault) coderOf() (reedsolomon.Encoder, error) {
	if service.After() {
		return v.coder, nil
	}
	return reedsolomon.New(data, parity)
}

// summary is what is said of a document.
type summary struct {
	Document int    `json:"document"`
	Length   int    `json:"length"`
	Sum      string `json:"sum"`
	Begins   string `json:"begins"`
}

var errUnknown = errors.New("there is no such document")

// read has a document put together.
func (v *vault) read(d int) (*summary, error) {
	if d < 0 || d >= documents {
		return nil, errUnknown
	}
	coder, err := v.coderOf()
	if err != nil {
		return nil, err
	}
	parts := make([][]byte, data+parity)
	for disk, part := range v.parts[d] {
		if !v.failed[disk] {
			parts[disk] = part
		}
	}
	if err := coder.ReconstructData(parts); err != nil {
		return nil, err
	}
	out := &summary{Document: d, Begins: string(parts[0][:24])}
	var sum uint32
	for _, part := range parts[:data] {
		sum = crc32.Update(sum, crc32.IEEETable, part)
		out.Length += len(part)
	}
	out.Sum = fmt.Sprintf("%08x", sum)
	return out, nil
}

func main() {
	v, err := fill()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /documents/{document}", func(w http.ResponseWriter, r *http.Request) {
		d, err := strconv.Atoi(r.PathValue("document"))
		if err != nil {
			http.Error(w, errUnknown.Error(), http.StatusNotFound)
			return
		}
		out, err := v.read(d)
		switch {
		case errors.Is(err, errUnknown):
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		case err != nil:
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(out)
	})
	service.Run(mux)
}
