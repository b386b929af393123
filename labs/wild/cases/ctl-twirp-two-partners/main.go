// Hats are made to measure over twirp: for each one, felt and ribbon are asked for at the same
// time from two partners, which speak twirp too, run as a process of their own and take 6 ms and
// 3 ms. The transport keeps a connection for each call that is under way.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/twitchtv/twirp"
	"github.com/twitchtv/twirp/example"
	"golang.org/x/sync/errgroup"

	"wild/service"
)

const connections = 64

type hatter struct {
	felt, ribbon example.Haberdasher
}

func (h hatter) MakeHat(ctx context.Context, size *example.Size) (*example.Hat, error) {
	if size.Inches <= 0 {
		return nil, twirp.InvalidArgumentError("inches", "must be more than 0")
	}
	var felt, ribbon *example.Hat
	both, ctx := errgroup.WithContext(ctx)
	both.Go(func() (err error) {
		felt, err = h.felt.MakeHat(ctx, size)
		return err
	})
	both.Go(func() (err error) {
		ribbon, err = h.ribbon.MakeHat(ctx, size)
		return err
	})
	if err := both.Wait(); err != nil {
		return nil, err
	}
	return &example.Hat{Size: felt.Size, Color: felt.Color, Name: felt.Name + " with a " + ribbon.Color + " ribbon"}, nil
}

func main() {
	if os.Getenv("ROLE") == "partners" {
		serve()
		return
	}
	client := &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{
		MaxIdleConns:        2 * connections,
		MaxIdleConnsPerHost: 2 * connections,
		IdleConnTimeout:     time.Minute,
	}}
	url := "http://" + service.Beside("partners")
	h := hatter{
		felt:   example.NewHaberdasherProtobufClient(url, client, twirp.WithClientPathPrefix("/felt")),
		ribbon: example.NewHaberdasherProtobufClient(url, client, twirp.WithClientPathPrefix("/ribbon")),
	}
	server := example.NewHaberdasherServer(h)
	http.Handle(server.PathPrefix(), server)
	service.Run(http.DefaultServeMux)
}

type partner struct {
	takes       time.Duration
	color, name string
}

func (p partner) MakeHat(ctx context.Context, size *example.Size) (*example.Hat, error) {
	time.Sleep(p.takes)
	return &example.Hat{Size: size.Inches, Color: p.color, Name: p.name}, nil
}

func serve() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	felt := example.NewHaberdasherServer(partner{takes: 6 * time.Millisecond, color: "grey", name: "homburg"}, twirp.WithServerPathPrefix("/felt"))
	ribbon := example.NewHaberdasherServer(partner{takes: 3 * time.Millisecond, color: "black", name: "ribbon"}, twirp.WithServerPathPrefix("/ribbon"))
	http.Handle(felt.PathPrefix(), felt)
	http.Handle(ribbon.PathPrefix(), ribbon)
	go http.Serve(ln, nil)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
