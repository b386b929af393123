// Stations of bicycles in BuntDB, by place: a request finds those near a point that have bicycles,
// with the distance; one in a hundred of them takes a bicycle, which writes. Nothing is wrong with it.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"math"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/tidwall/buntdb"
	"github.com/valyala/fasthttp"

	"wild/service"
)

const stations = 20_000

// station is a place with bicycles.
type station struct {
	Name     string  `json:"name"`
	Bicycles int     `json:"bicycles"`
	Far      float64 `json:"far"`
}

type town struct {
	db    *buntdb.DB
	asked atomic.Int64
}

func place(n int) (lon, lat float64) {
	return 13 + float64(n*7919%stations)/stations, 52 + float64(n*104729%stations)/stations
}

func (t *town) fill() error {
	if err := t.db.CreateSpatialIndex("places", "place:*", buntdb.IndexRect); err != nil {
		return err
	}
	return t.db.Update(func(tx *buntdb.Tx) error {
		for n := range stations {
			lon, lat := place(n)
			if _, _, err := tx.Set(fmt.Sprintf("place:%d", n), fmt.Sprintf("[%f %f]", lon, lat), nil); err != nil {
				return err
			}
			if _, _, err := tx.Set(fmt.Sprintf("bicycles:%d", n), strconv.Itoa(n%9), nil); err != nil {
				return err
			}
		}
		return nil
	})
}

// near returns the stations around a point.
func (t *town) near(lon, lat float64) ([]station, error) {
	const around = 0.01
	var found []station
	err := t.db.View(func(tx *buntdb.Tx) error {
		var failed error
		err := tx.Intersects("places", fmt.Sprintf("[%f %f],[%f %f]", lon-around, lat-around, lon+around, lat+around), func(key, value string) bool {
			id := strings.TrimPrefix(key, "place:")
			count, err := tx.Get("bicycles:" + id)
			if err != nil {
				failed = err
				return false
			}
			n, err := strconv.Atoi(count)
			if err != nil {
				failed = err
				return false
			}
			var x, y float64
			if _, err := fmt.Sscanf(value, "[%f %f]", &x, &y); err != nil {
				failed = err
				return false
			}
			if n > 0 {
				found = append(found, station{"station " + id, n, math.Hypot((x-lon)*67.7, (y-lat)*111.2)})
			}
			return true
		})
		return errors.Join(err, failed)
	})
	return found, err
}

// take has a bicycle of a station.
func (t *town) take(n int) error {
	return t.db.Update(func(tx *buntdb.Tx) error {
		key := fmt.Sprintf("bicycles:%d", n)
		count, err := tx.Get(key)
		if err != nil {
			return err
		}
		left, err := strconv.Atoi(count)
		if err != nil {
			return err
		}
		_, _, err = tx.Set(key, strconv.Itoa((left+8)%9), nil)
		return err
	})
}

func main() {
	db, err := buntdb.Open(":memory:")
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	t := &town{db: db}
	if err := t.fill(); err != nil {
		log.Fatal(err)
	}
	srv := &fasthttp.Server{Handler: func(ctx *fasthttp.RequestCtx) {
		lon, lat := ctx.QueryArgs().GetUfloatOrZero("lon"), ctx.QueryArgs().GetUfloatOrZero("lat")
		found, err := t.near(lon, lat)
		if n := t.asked.Add(1); err == nil && n%100 == 0 {
			err = t.take(int(n % stations))
		}
		if err != nil {
			ctx.Error(err.Error(), fasthttp.StatusInternalServerError)
			return
		}
		ctx.SetContentType("application/json")
		json.NewEncoder(ctx).Encode(found)
	}}
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Shutdown()
}
