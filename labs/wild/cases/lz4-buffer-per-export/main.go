// Exports of a shop's orders for the warehouse: a day's lines are written as text and sent as
// a frame of LZ4, with a checksum of what was written in a header.
package main

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"log"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"

	"github.com/pierrec/lz4"

	"wild/service"
)

const (
	days      = 20
	perDay    = 120
	warehouse = 4
)

type order struct {
	number    int
	sku       string
	quantity  int
	cents     int
	warehouse int
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func main() {
	kept := orders()
	http.HandleFunc("/export", func(w http.ResponseWriter, r *http.Request) {
		day, err := strconv.Atoi(r.URL.Query().Get("day"))
		if err != nil || day < 0 || day >= days {
			http.Error(w, "no such day", http.StatusNotFound)
			return
		}
		lines := buffers.Get().(*bytes.Buffer)
		defer buffers.Put(lines)
		lines.Reset()
		write(lines, kept[day])
		w.Header().Set("Content-Type", "application/x-lz4")
		w.Header().Set("X-Crc32", fmt.Sprintf("%08x", crc32.ChecksumIEEE(lines.Bytes())))
		if err := send(w, lines.Bytes()); err != nil {
			log.Println("export:", err)
		}
	})
	service.Run(http.DefaultServeMux)
}

// write is a day, a line for each order, in the order of the warehouses.
func write(to *bytes.Buffer, day []order) {
	for house := range warehouse {
		for _, o := range day {
			if o.warehouse != house {
				continue
			}
			b := to.AvailableBuffer()
			b = strconv.AppendInt(b, int64(o.number), 10)
			b = append(append(append(b, '\t'), o.sku...), '\t')
			b = append(strconv.AppendInt(b, int64(o.quantity), 10), '\t')
			b = append(strconv.AppendInt(b, int64(o.cents), 10), '\n')
			to.Write(b)
		}
	}
}

// frames are writers that are used again, with blocks that fit a day.
var frames = sync.Pool{New: func() any {
	z := lz4.NewWriter(nil)
	z.Header.BlockMaxSize = 64 << 10
	return z
}}

// send is the frame.
func send(w http.ResponseWriter, data []byte) error {
	var z *lz4.Writer
	if service.After() {
		z = frames.Get().(*lz4.Writer)
		defer frames.Put(z)
		z.Reset(w)
	} else {
		z = lz4.NewWriter(w)
	}
	if _, err := z.Write(data); err != nil {
		return err
	}
	return z.Close()
}

func orders() [][]order {
	rnd := rand.New(rand.NewPCG(1, 2))
	out := make([][]order, days)
	for day := range out {
		for i := range perDay {
			out[day] = append(out[day], order{day*perDay + i, fmt.Sprintf("SKU-%05d", rnd.IntN(400)), 1 + rnd.IntN(5), 100 * rnd.IntN(900), rnd.IntN(warehouse)})
		}
	}
	return out
}
