// Heights for walkers: how far a path goes up and down. The land is in tiles of 150 by 150 heights, that are kept in a
// fastcache, apart from what the garbage collector looks after.
package main

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/VictoriaMetrics/fastcache"

	"wild/service"
)

const side, tiles = 150, 1000

// land is what is known of heights.
type land struct {
	cache   *fastcache.Cache
	buffers sync.Pool
}

func survey() *land {
	l := &land{cache: fastcache.New(128 << 20), buffers: sync.Pool{New: func() any { return new([]byte) }}}
	for t := range tiles {
		tile := make([]byte, 0, side*side*2)
		for i := range side * side {
			x, y := float64(i%side)/20, float64(i/side)/17
			tile = binary.LittleEndian.AppendUint16(tile, uint16(900+300*math.Sin(x+float64(t))+200*math.Cos(y*1.7)))
		}
		l.cache.Set(name(t), tile)
	}
	return l
}

func name(tile int) []byte { return binary.BigEndian.AppendUint32(nil, uint32(tile)) }

// climb is what a path does.
type climb struct {
	Tile int `json:"tile"`
	Up   int `json:"up"`
	Down int `json:"down"`
	Top  int `json:"top"`
}

var errNowhere = errors.New("there is no such place")

// along follows the points of a path through a tile.
func (l *land) along(tile int, path [][2]int) (*climb, error) {
	var heights []byte
	if service.After() {
		kept := l.buffers.Get().(*[]byte)
		defer l.buffers.Put(kept)
		*kept = l.cache.Get((*kept)[:0], name(tile))
		heights = *kept
	} else {
		heights = l.cache.Get(nil, name(tile))
	}
	if len(heights) != side*side*2 {
		return nil, errNowhere
	}
	out, last := &climb{Tile: tile}, 0
	for i, p := range path {
		if p[0] < 0 || p[1] < 0 || p[0] >= side || p[1] >= side {
			return nil, errNowhere
		}
		height := int(binary.LittleEndian.Uint16(heights[2*(p[1]*side+p[0]):]))
		if i > 0 {
			out.Up += max(0, height-last)
			out.Down += max(0, last-height)
		}
		last, out.Top = height, max(out.Top, height)
	}
	return out, nil
}

// points reads a path: 1,2_3,4.
func points(text string) (out [][2]int, err error) {
	for p := range strings.SplitSeq(text, "_") {
		x, y, _ := strings.Cut(p, ",")
		a, errX := strconv.Atoi(x)
		b, errY := strconv.Atoi(y)
		if err := errors.Join(errX, errY); err != nil {
			return nil, fmt.Errorf("%q is no point: %w", p, err)
		}
		out = append(out, [2]int{a, b})
	}
	return out, nil
}

func main() {
	l := survey()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /tiles/{tile}/climb", func(w http.ResponseWriter, r *http.Request) {
		tile, err := strconv.Atoi(r.PathValue("tile"))
		path, errPath := points(r.FormValue("path"))
		if err := errors.Join(err, errPath); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		found, err := l.along(tile, path)
		if err != nil {
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(found)
	})
	service.Run(mux)
}
