// Faults of a city over gRPC: what a citizen reports is held against what is open already, so that a lamp is not reported twice.
package main

import (
	"context"
	"fmt"
	"log"
	"sort"
	"strings"

	"github.com/pmezard/go-difflib/difflib"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/status"

	"wild/service"
)

// alike is how much of two reports must be the same.
const alike = 0.8

// report is one that is open.
type report struct {
	id   int
	text string
}

// city has reports.
type city struct {
	testpb.UnimplementedTestServiceServer
	open []report
}

func open() *city {
	c := &city{}
	what := []string{"Street lamp is dark", "Hole in the cycle path", "Bin is full", "Tree has fallen over the path", "Water stands in the underpass", "Bench is broken"}
	where := []string{"at the old bridge", "in Mill Lane", "behind the school", "by the harbour wall", "at the bus stop of Hill Street", "in the park, near the pond", "opposite the bakery"}
	more := []string{"since Monday", "and bikes cannot pass", "again, as in spring", "please come soon"}
	for i := range 120 {
		c.open = append(c.open, report{1000 + i, fmt.Sprintf("%s %s, number %d, %s", what[i%6], where[i%7], i%40+1, more[i%4])})
	}
	return c
}

// twin is a report that says much the same.
type twin struct {
	report
	ratio float64
}

// twins are the reports that say much the same as a text, the most alike first.
func (c *city) twins(text string) []twin {
	var all []twin
	letters := strings.Split(strings.ToLower(text), "")
	m := difflib.NewMatcher(nil, letters)
	for _, r := range c.open {
		m.SetSeq1(strings.Split(strings.ToLower(r.text), ""))
		if service.After() && (m.RealQuickRatio() < alike || m.QuickRatio() < alike) {
			continue // it cannot be as much alike as that
		}
		if ratio := m.Ratio(); ratio >= alike {
			all = append(all, twin{r, ratio})
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].ratio > all[j].ratio })
	return all
}

// UnaryCall says what is like a report.
func (c *city) UnaryCall(_ context.Context, in *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
	text := strings.TrimSpace(string(in.GetPayload().GetBody()))
	if text == "" || len(text) > 300 {
		return nil, status.Error(codes.InvalidArgument, "what is broken?")
	}
	var out strings.Builder
	for i, t := range c.twins(text) {
		if i == 3 {
			break
		}
		fmt.Fprintf(&out, "%d %.2f %s\n", t.id, t.ratio, t.text)
	}
	if out.Len() == 0 {
		out.WriteString("this is new\n")
	}
	return &testpb.SimpleResponse{Payload: &testpb.Payload{Body: []byte(out.String())}}, nil
}

func main() {
	c := open()
	srv := grpc.NewServer()
	testpb.RegisterTestServiceServer(srv, c)
	reflection.Register(srv)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Stop()
}
