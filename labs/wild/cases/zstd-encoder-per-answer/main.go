// A feed of prices whose answers are compressed with zstd.
package main

import (
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/klauspost/compress/zstd"

	"wild/service"
)

type price struct {
	Symbol string `json:"symbol"`
	Bid    int64  `json:"bid"`
	Ask    int64  `json:"ask"`
	Venue  string `json:"venue"`
}

func main() {
	var seq atomic.Int64
	http.HandleFunc("/prices", func(w http.ResponseWriter, r *http.Request) {
		n := seq.Add(1)
		prices := make([]price, 100)
		for i := range prices {
			bid := (n*31 + int64(i)*17) % 100_000
			prices[i] = price{Symbol: "SYM" + strconv.Itoa(i), Bid: bid, Ask: bid + 3, Venue: "venue-" + strconv.Itoa(i%7)}
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Encoding", "zstd")
		if err := compressed(w, prices); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	service.Run(http.DefaultServeMux)
}

var encoders sync.Pool

func compressed(w io.Writer, v any) error {
	if !service.After() {
		enc, err := zstd.NewWriter(w)
		if err != nil {
			return err
		}
		if err := json.NewEncoder(enc).Encode(v); err != nil {
			return err
		}
		return enc.Close()
	}
	enc, ok := encoders.Get().(*zstd.Encoder)
	if !ok {
		var err error
		if enc, err = zstd.NewWriter(nil); err != nil {
			return err
		}
	}
	enc.Reset(w)
	defer encoders.Put(enc)
	if err := json.NewEncoder(enc).Encode(v); err != nil {
		return err
	}
	return enc.Close()
}
