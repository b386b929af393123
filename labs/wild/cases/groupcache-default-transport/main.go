// Tiles of a map. Each server of the group draws those that are its own and keeps them; another's it fetches from
// there. The neighbour is a process of its own.
package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/golang/groupcache"
	"github.com/valyala/fasthttp"

	"wild/service"
)

// draw makes a tile: a few hundred bytes for a place and a zoom level.
func draw(_ context.Context, key string, dest groupcache.Sink) error {
	if strings.Count(key, "/") != 2 {
		return fmt.Errorf("no tile %q", key)
	}
	h := fnv.New64a()
	io.WriteString(h, key)
	tile := make([]byte, 0, 1024)
	for range 128 {
		h.Write([]byte{1})
		tile = binary.BigEndian.AppendUint64(tile, h.Sum64())
	}
	return dest.SetBytes(tile)
}

// join makes this server one of the group, whose tiles are all with its neighbour: a new server has none of its own.
func join(self, neighbour string) *groupcache.Group {
	pool := groupcache.NewHTTPPoolOpts(self, &groupcache.HTTPPoolOptions{Replicas: 50})
	if service.After() {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.MaxIdleConnsPerHost = 64
		pool.Transport = func(context.Context) http.RoundTripper { return t }
	}
	pool.Set(neighbour)
	return groupcache.NewGroup("tiles", 64<<10, groupcache.GetterFunc(draw))
}

// answer writes a tile with its mark, by which a browser knows whether it has it.
func answer(ctx *fasthttp.RequestCtx, tiles *groupcache.Group, z, x, y int) error {
	var tile []byte
	timed, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := tiles.Get(timed, fmt.Sprintf("%d/%d/%d", z, x, y), groupcache.AllocatingByteSliceSink(&tile)); err != nil {
		return err
	}
	mark := fnv.New32a()
	mark.Write(tile)
	ctx.Response.Header.Set("ETag", fmt.Sprintf("%q", fmt.Sprintf("%x", mark.Sum32())))
	ctx.SetContentType("application/vnd.mapbox-vector-tile")
	ctx.SetBody(tile)
	return nil
}

// numbers reads /tiles/z/x/y.
func numbers(path string) (z, x, y int, err error) {
	if n, err := fmt.Sscanf(path, "/tiles/%d/%d/%d", &z, &x, &y); err != nil || n != 3 {
		return 0, 0, 0, errors.New("a tile is /tiles/z/x/y")
	}
	if z < 0 || z > 20 || x < 0 || y < 0 {
		return 0, 0, 0, errors.New("no such tile")
	}
	return z, x, y, nil
}

func main() {
	if os.Getenv("ROLE") == "neighbour" {
		neighbour()
		return
	}
	other := service.Beside("neighbour")
	tiles := join("http://127.0.0.1:0", "http://"+other)
	srv := &fasthttp.Server{Handler: func(ctx *fasthttp.RequestCtx) {
		z, x, y, err := numbers(string(ctx.Path()))
		if err != nil {
			ctx.Error(err.Error(), fasthttp.StatusNotFound)
			return
		}
		// A viewer moves about: what it asks for next is a few tiles on.
		x += int(ctx.ID()*7+ctx.ConnID()*131) % 4096
		if err := answer(ctx, tiles, z, x, y); err != nil {
			ctx.Error(err.Error(), fasthttp.StatusBadGateway)
		}
	}}
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
}

// neighbour is a server of the group that draws what it is asked for, in about a millisecond.
func neighbour() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	self := "http://" + ln.Addr().String()
	pool := groupcache.NewHTTPPoolOpts(self, &groupcache.HTTPPoolOptions{})
	pool.Set(self)
	groupcache.NewGroup("tiles", 64<<20, groupcache.GetterFunc(func(ctx context.Context, key string, dest groupcache.Sink) error {
		time.Sleep(time.Millisecond)
		return draw(ctx, key, dest)
	}))
	go http.Serve(ln, pool)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
