// Vouchers of a shop, over gRPC: a campaign asks for a few dozen at a time, each with a number that cannot be guessed, and each is noted
// with what it is worth and until when.
package main

import (
	"context"
	"fmt"
	"log"
	"strings"
	"sync"
	"time"

	"github.com/jaevor/go-nanoid"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/status"

	"wild/service"
)

const (
	batch = 60    // vouchers of a request
	most  = 50000 // vouchers that are kept here before they are with the others
)

// voucher is worth something until it is used.
type voucher struct {
	campaign string
	cents    int
	until    time.Time
}

// shop has vouchers.
type shop struct {
	testpb.UnimplementedTestServiceServer
	number func() string

	mu     sync.Mutex
	issued map[string]voucher
}

func open() (*shop, error) {
	number, err := nanoid.Canonic()
	if err != nil {
		return nil, err
	}
	return &shop{number: number, issued: make(map[string]voucher, most)}, nil
}

// newNumber is one that no other voucher has.
func (s *shop) newNumber() (string, error) {
	if service.After() {
		return s.number(), nil
	}
	number, err := nanoid.Canonic()
	if err != nil {
		return "", err
	}
	return number(), nil
}

// note keeps vouchers until they are with the others.
func (s *shop) note(numbers []string, v voucher) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.issued)+len(numbers) > most {
		clear(s.issued)
	}
	for _, n := range numbers {
		s.issued[n] = v
	}
}

// UnaryCall issues the vouchers of a campaign.
func (s *shop) UnaryCall(_ context.Context, in *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
	campaign := strings.TrimSpace(string(in.GetPayload().GetBody()))
	if campaign == "" || len(campaign) > 40 {
		return nil, status.Error(codes.InvalidArgument, "of which campaign?")
	}
	v := voucher{campaign: campaign, cents: 500 + 250*(len(campaign)%5), until: time.Now().AddDate(0, 3, 0)}
	numbers := make([]string, 0, batch)
	var out strings.Builder
	fmt.Fprintf(&out, "%s %d %s\n", v.campaign, v.cents, v.until.Format(time.DateOnly))
	for range batch {
		n, err := s.newNumber()
		if err != nil {
			return nil, status.Error(codes.Internal, err.Error())
		}
		numbers = append(numbers, n)
		out.WriteString(n)
		out.WriteByte('\n')
	}
	s.note(numbers, v)
	return &testpb.SimpleResponse{Payload: &testpb.Payload{Body: []byte(out.String())}}, nil
}

func main() {
	s, err := open()
	if err != nil {
		log.Fatal(err)
	}
	srv := grpc.NewServer()
	testpb.RegisterTestServiceServer(srv, s)
	reflection.Register(srv)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Stop()
}
