// Maps for hikers: what an app takes along of a region is a bundle, the tiles of the region as they are, in a FlatBuffer that it reads
// without unpacking. Most apps ask for the checksum of the bundle, and only fetch it when theirs has another.
package main

import (
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"

	flatbuffers "github.com/google/flatbuffers/go"

	"wild/service"
)

const side = 40 // of the country, in tiles

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// tile is a part of the map, compressed.
type tile struct {
	drawn uint64
	data  []byte
}

// country has tiles.
type country struct {
	mu    sync.RWMutex
	tiles [side * side]tile

	builders sync.Pool
}

func open() *country {
	c := &country{}
	c.builders.New = func() any { return flatbuffers.NewBuilder(1 << 20) }
	r := rand.New(rand.NewPCG(1, 2))
	for i := range c.tiles {
		data := make([]byte, 6000+r.IntN(9000))
		for k := range data {
			data[k] = byte(r.Uint32())
		}
		c.tiles[i] = tile{1000, data}
	}
	return c
}

// bundle makes the message of a region: its name, and its tiles, each with where it is and when it was drawn.
func (c *country) bundle(b *flatbuffers.Builder, x, y, wide int) []byte {
	c.mu.RLock()
	defer c.mu.RUnlock()
	var ends []flatbuffers.UOffsetT
	for row := y; row < y+wide; row++ {
		for column := x; column < x+wide; column++ {
			t := &c.tiles[row*side+column]
			data := b.CreateByteVector(t.data)
			b.StartObject(4)
			b.PrependUOffsetTSlot(0, data, 0)
			b.PrependInt32Slot(1, int32(column), -1)
			b.PrependInt32Slot(2, int32(row), -1)
			b.PrependUint64Slot(3, t.drawn, 0)
			ends = append(ends, b.EndObject())
		}
	}
	list := b.CreateVectorOfTables(ends)
	name := b.CreateString(fmt.Sprintf("region %d/%d, %d tiles", x, y, wide*wide))
	b.StartObject(2)
	b.PrependUOffsetTSlot(0, name, 0)
	b.PrependUOffsetTSlot(1, list, 0)
	b.Finish(b.EndObject())
	return b.FinishedBytes()
}

func (c *country) serve(w http.ResponseWriter, r *http.Request) {
	x, errX := strconv.Atoi(r.PathValue("x"))
	y, errY := strconv.Atoi(r.PathValue("y"))
	wide, err := strconv.Atoi(r.FormValue("wide"))
	if errX != nil || errY != nil || err != nil || x < 0 || y < 0 || wide < 1 || wide > 8 || x+wide > side || y+wide > side {
		http.Error(w, "that is not in the country", http.StatusNotFound)
		return
	}
	var b *flatbuffers.Builder
	if service.After() {
		b = c.builders.Get().(*flatbuffers.Builder)
		defer c.builders.Put(b)
		b.Reset()
	} else {
		b = flatbuffers.NewBuilder(0)
	}
	message := c.bundle(b, x, y, wide)
	if r.PathValue("form") == "checksum" {
		fmt.Fprintf(w, "%08x %d\n", crc32.Checksum(message, castagnoli), len(message))
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Write(message)
}

// draw is told that a tile was drawn anew.
func (c *country) draw(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.PathValue("tile"))
	if err != nil || n < 0 || n >= side*side {
		http.Error(w, "no such tile", http.StatusNotFound)
		return
	}
	c.mu.Lock()
	c.tiles[n].drawn++
	c.mu.Unlock()
	w.WriteHeader(http.StatusNoContent)
}

func main() {
	c := open()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /regions/{x}/{y}/{form}", c.serve)
	mux.HandleFunc("POST /tiles/{tile}/drawn", c.draw)
	service.Run(mux)
}
