// A library over gRPC: what a book is called and by which author, and whether it is on its shelf. All that is known of a
// book is a hash in Redis, a process of its own: with its title each day on which it was lent, by the branch.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
	library "google.golang.org/genproto/googleapis/example/library/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/status"

	"wild/service"
)

// desk answers for the books.
type desk struct {
	library.UnimplementedLibraryServiceServer
	redis *redis.Client
}

// book is what is said of one.
func (d *desk) book(ctx context.Context, name string) (*library.Book, error) {
	title, author, lent := "", "", ""
	if service.After() {
		values, err := d.redis.HMGet(ctx, name, "title", "author", "lent").Result()
		if err != nil {
			return nil, err
		}
		title, _ = values[0].(string)
		author, _ = values[1].(string)
		lent, _ = values[2].(string)
	} else {
		all, err := d.redis.HGetAll(ctx, name).Result()
		if err != nil {
			return nil, err
		}
		title, author, lent = all["title"], all["author"], all["lent"]
	}
	if title == "" {
		return nil, status.Errorf(codes.NotFound, "no book %q", name)
	}
	return &library.Book{Name: name, Title: title, Author: author, Read: lent == "1"}, nil
}

func (d *desk) GetBook(ctx context.Context, in *library.GetBookRequest) (*library.Book, error) {
	b, err := d.book(ctx, in.GetName())
	if err != nil && status.Code(err) == codes.Unknown {
		return nil, status.Error(codes.Unavailable, err.Error())
	}
	return b, err
}

// UpdateBook lends a book, or takes it back.
func (d *desk) UpdateBook(ctx context.Context, in *library.UpdateBookRequest) (*library.Book, error) {
	name := in.GetBook().GetName()
	lent := 0
	if in.GetBook().GetRead() {
		lent = 1
	}
	if _, err := d.redis.HSet(ctx, name, "lent", lent, "at-"+time.Now().Format(time.DateOnly), "desk").Result(); err != nil {
		return nil, status.Error(codes.Unavailable, err.Error())
	}
	return d.book(ctx, name)
}

func main() {
	if os.Getenv("ROLE") == "redis" {
		serveRedis()
		return
	}
	client := redis.NewClient(&redis.Options{Addr: service.Beside("redis"), PoolSize: 64, MinIdleConns: 16})
	srv := grpc.NewServer()
	library.RegisterLibraryServiceServer(srv, &desk{redis: client})
	reflection.Register(srv)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Stop()
}

// serveRedis has the books of some shelves.
func serveRedis() {
	r := miniredis.NewMiniRedis()
	if err := r.StartAddr("127.0.0.1:0"); err != nil {
		log.Fatal(err)
	}
	first := time.Date(2024, 1, 2, 0, 0, 0, 0, time.UTC)
	for shelf := range 8 {
		for b := range 20 {
			name := fmt.Sprintf("shelves/%d/books/%d", shelf, b)
			fields := []string{"title", fmt.Sprintf("Book %d on %d", b, shelf), "author", fmt.Sprint("Author ", b%7), "lent", fmt.Sprint(b % 2)}
			for day := range 260 + b*4 {
				fields = append(fields, "at-"+first.AddDate(0, 0, 3*day).Format(time.DateOnly), fmt.Sprintf("branch %d, card %d", day%9, 100000+day*b))
			}
			r.HSet(name, fields...)
		}
	}
	fmt.Println(r.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
