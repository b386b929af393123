// A library: shelves with books, listed, looked at and moved over gRPC. What is called is logged as JSON, as the
// deployment collects it.
package main

import (
	"context"
	"fmt"
	"log"
	"log/slog"
	"os"
	"strings"
	"sync"

	"github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors/logging"
	"github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors/recovery"
	library "google.golang.org/genproto/googleapis/example/library/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"wild/service"
)

// shelves are those of the library.
type shelves struct {
	library.UnimplementedLibraryServiceServer
	mu    sync.RWMutex
	books map[string][]*library.Book
}

func newShelves() *shelves {
	s := &shelves{books: map[string][]*library.Book{}}
	for i := range 12 {
		name := fmt.Sprintf("shelves/%d", i)
		for b := range 60 {
			s.books[name] = append(s.books[name], &library.Book{Name: fmt.Sprintf("%s/books/%d", name, b), Author: fmt.Sprint("Author ", b%17), Title: fmt.Sprintf("Book %d on %d", b, i), Read: b%3 == 0})
		}
	}
	return s
}

// ListBooks lists a part of a shelf.
func (s *shelves) ListBooks(_ context.Context, in *library.ListBooksRequest) (*library.ListBooksResponse, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	books, ok := s.books[in.GetParent()]
	if !ok {
		return nil, status.Errorf(codes.NotFound, "no shelf %q", in.GetParent())
	}
	n := min(int(in.GetPageSize()), len(books))
	if n <= 0 {
		n = len(books)
	}
	out := &library.ListBooksResponse{Books: make([]*library.Book, n)}
	for i := range out.Books {
		out.Books[i] = proto.Clone(books[i]).(*library.Book)
	}
	return out, nil
}

// UpdateBook marks a book as read.
func (s *shelves) UpdateBook(_ context.Context, in *library.UpdateBookRequest) (*library.Book, error) {
	name := in.GetBook().GetName()
	shelf, _, _ := strings.Cut(name, "/books/")
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range s.books[shelf] {
		if b.Name == name {
			b.Read = in.GetBook().GetRead()
			return proto.Clone(b).(*library.Book), nil
		}
	}
	return nil, status.Errorf(codes.NotFound, "no book %q", name)
}

// adapted passes what the interceptor logs to slog.
func adapted(l *slog.Logger) logging.Logger {
	return logging.LoggerFunc(func(ctx context.Context, level logging.Level, message string, fields ...any) {
		l.Log(ctx, slog.Level(level), message, fields...)
	})
}

func main() {
	out, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		log.Fatal(err)
	}
	events := []logging.LoggableEvent{logging.FinishCall}
	if !service.After() {
		events = append(events, logging.PayloadReceived, logging.PayloadSent)
	}
	srv := grpc.NewServer(grpc.ChainUnaryInterceptor(
		logging.UnaryServerInterceptor(adapted(slog.New(slog.NewJSONHandler(out, nil))), logging.WithLogOnEvents(events...)),
		recovery.UnaryServerInterceptor(),
	))
	library.RegisterLibraryServiceServer(srv, newShelves())
	reflection.Register(srv)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Stop()
}
