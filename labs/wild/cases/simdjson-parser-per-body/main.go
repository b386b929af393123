// Positions of a fleet, as the vehicles send them once a minute: a body of some dozens of points is
// parsed by simdjson, points that cannot be are left out, and the way is measured. It is served by
// fasthttp.
package main

import (
	"errors"
	"fmt"
	"log"
	"math"
	"sync"

	"github.com/minio/simdjson-go"
	"github.com/valyala/fasthttp"

	"wild/service"
)

type point struct{ lat, lon, speed float64 }

// way is what is known of a vehicle.
type way struct {
	metres float64
	points int64
	last   point
}

type fleet struct {
	mu   sync.Mutex
	ways map[string]*way
}

func (f *fleet) drive(vehicle string, points []point) way {
	f.mu.Lock()
	defer f.mu.Unlock()
	w := f.ways[vehicle]
	if w == nil {
		w = &way{last: points[0]}
		f.ways[vehicle] = w
	}
	for _, p := range points {
		w.metres += distance(w.last, p)
		w.points++
		w.last = p
	}
	return *w
}

func distance(a, b point) float64 {
	const radius, degree = 6_371_000, math.Pi / 180
	x := (b.lon - a.lon) * degree * math.Cos((a.lat+b.lat)/2*degree)
	return radius * math.Hypot(x, (b.lat-a.lat)*degree)
}

var parsers sync.Pool // of *simdjson.ParsedJson, as fixed

// read takes the vehicle and its points out of a body.
func read(body []byte) (vehicle string, points []point, err error) {
	var old *simdjson.ParsedJson
	if service.After() {
		old, _ = parsers.Get().(*simdjson.ParsedJson)
	}
	doc, err := simdjson.Parse(body, old)
	if err != nil {
		return "", nil, err
	}
	if service.After() {
		defer parsers.Put(doc)
	}
	root := doc.Iter()
	root.Advance()
	_, top, err := root.Root(nil)
	if err != nil {
		return "", nil, err
	}
	name, err := top.FindElement(nil, "vehicle")
	if err != nil {
		return "", nil, err
	}
	if vehicle, err = name.Iter.String(); err != nil {
		return "", nil, err
	}
	list, err := top.FindElement(nil, "points")
	if err != nil {
		return "", nil, err
	}
	array, err := list.Iter.Array(nil)
	if err != nil {
		return "", nil, err
	}
	points, err = each(array)
	return vehicle, points, err
}

// each reads the points that are possible.
func each(array *simdjson.Array) (points []point, err error) {
	points = make([]point, 0, 64)
	var o simdjson.Object
	var e simdjson.Element
	array.ForEach(func(i simdjson.Iter) {
		if _, fail := i.Object(&o); fail != nil {
			err = errors.Join(err, fail)
			return
		}
		var p point
		for _, f := range []struct {
			key string
			to  *float64
		}{{"lat", &p.lat}, {"lon", &p.lon}, {"speed", &p.speed}} {
			if o.FindKey(f.key, &e) == nil {
				return
			}
			if *f.to, err = e.Iter.Float(); err != nil {
				return
			}
		}
		if math.Abs(p.lat) <= 90 && math.Abs(p.lon) <= 180 && p.speed < 90 {
			points = append(points, p)
		}
	})
	if err == nil && len(points) == 0 {
		err = errors.New("no points")
	}
	return points, err
}

func main() {
	f := &fleet{ways: map[string]*way{}}
	srv := &fasthttp.Server{
		Name: "fleet",
		Handler: func(ctx *fasthttp.RequestCtx) {
			if string(ctx.Path()) != "/positions" || !ctx.IsPost() {
				ctx.Error("not found", fasthttp.StatusNotFound)
				return
			}
			vehicle, points, err := read(ctx.PostBody())
			if err != nil {
				ctx.Error(err.Error(), fasthttp.StatusBadRequest)
				return
			}
			w := f.drive(vehicle, points)
			ctx.SetContentType("application/json")
			fmt.Fprintf(ctx, `{"vehicle":%q,"taken":%d,"km":%.1f}`, vehicle, len(points), w.metres/1000)
		},
	}
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Shutdown()
}
