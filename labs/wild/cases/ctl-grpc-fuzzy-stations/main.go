// Names of stations over gRPC, as travellers type them: the best few of all that have the letters in this order, and what else begins
// with the same stems.
package main

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/kljensen/snowball"
	"github.com/sahilm/fuzzy"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/status"

	"wild/service"
)

// network has stations, and which have a word by its stem.
type network struct {
	testpb.UnimplementedTestServiceServer
	names []string
	stems map[string][]int
}

func open() (*network, error) {
	n := &network{stems: map[string][]int{}}
	towns := []string{"Ashford", "Brighton", "Camden", "Dunmore", "Elmswell", "Farnham", "Godstone", "Harwich", "Ipswich", "Kelham"}
	kinds := []string{"Crossing", "Bridges", "Market", "Junction", "Harbour", "Gardens", "Mills", "Old Town", "Parkway", "Landing"}
	sides := []string{"North", "South", "East", "West", "Upper", "Lower"}
	for i := range 600 {
		name := towns[i%10] + " " + kinds[i/10%10] + " " + sides[i/100]
		for _, word := range strings.Fields(name) {
			stem, err := snowball.Stem(word, "english", true)
			if err != nil {
				return nil, err
			}
			n.stems[stem] = append(n.stems[stem], i)
		}
		n.names = append(n.names, name)
	}
	return n, nil
}

// UnaryCall finds stations.
func (n *network) UnaryCall(_ context.Context, in *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
	typed := strings.TrimSpace(string(in.GetPayload().GetBody()))
	if typed == "" || len(typed) > 40 {
		return nil, status.Error(codes.InvalidArgument, "which station?")
	}
	var out strings.Builder
	for i, m := range fuzzy.Find(strings.ReplaceAll(typed, " ", ""), n.names) {
		if i == 5 {
			break
		}
		fmt.Fprintf(&out, "%s %d\n", m.Str, m.Score)
	}
	for _, word := range strings.Fields(typed) {
		stem, err := snowball.Stem(word, "english", true)
		if err != nil {
			return nil, status.Error(codes.Internal, err.Error())
		}
		fmt.Fprintf(&out, "%s: %d stations\n", stem, len(n.stems[stem]))
	}
	return &testpb.SimpleResponse{Payload: &testpb.Payload{Body: []byte(out.String())}}, nil
}

func main() {
	n, err := open()
	if err != nil {
		log.Fatal(err)
	}
	srv := grpc.NewServer()
	testpb.RegisterTestServiceServer(srv, n)
	reflection.Register(srv)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Stop()
}
