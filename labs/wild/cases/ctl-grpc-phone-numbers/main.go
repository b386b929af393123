// Phone numbers over gRPC, as people write them: the next ones of a list of contacts are brought into the form that a telephone
// exchange wants, and each is told whether it can be one.
package main

import (
	"context"
	"fmt"
	"log"
	"strings"
	"sync/atomic"

	"github.com/nyaruka/phonenumbers"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/status"

	"wild/service"
)

const atOnce = 6

// written is how people write the numbers of a country.
var written = []struct{ country, form string }{
	{"DE", "0421 / %07d"}, {"NL", "020-%07d"}, {"US", "(212) 5%06d"}, {"GB", "020 7%03d %04d"}, {"NO", "+47 2%07d"}, {"PL", "22 %07d"}, {"FR", "01 4%01d %02d %02d %02d"},
}

// contacts are those of a list, and how far it was read.
type contacts struct {
	testpb.UnimplementedTestServiceServer
	list []entry
	next atomic.Int64
}

// entry is a number as it was written, and where that was.
type entry struct{ number, country string }

func open() *contacts {
	c := new(contacts)
	for n := range 5000 {
		w := written[n%len(written)]
		parts := make([]any, strings.Count(w.form, "%"))
		rest := n * 7919 % 10_000_000
		for i := range parts {
			parts[i] = rest % 10_000_000
			rest /= 7
			if len(parts) > 1 {
				parts[i] = rest % 10
			}
		}
		c.list = append(c.list, entry{fmt.Sprintf(w.form, parts...), w.country})
	}
	return c
}

// UnaryCall brings the next numbers into one form.
func (c *contacts) UnaryCall(_ context.Context, in *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
	exchange := string(in.GetPayload().GetBody())
	if exchange == "" {
		return nil, status.Error(codes.InvalidArgument, "which exchange?")
	}
	from := int(c.next.Add(atOnce))
	var out strings.Builder
	out.WriteString(exchange)
	for k := range atOnce {
		e := c.list[(from+k)%len(c.list)]
		n, err := phonenumbers.Parse(e.number, e.country)
		if err != nil {
			fmt.Fprintf(&out, "\n%s: %v", e.number, err)
			continue
		}
		fmt.Fprintf(&out, "\n%s %t", phonenumbers.Format(n, phonenumbers.E164), phonenumbers.IsPossibleNumber(n))
	}
	return &testpb.SimpleResponse{Payload: &testpb.Payload{Body: []byte(out.String())}}, nil
}

func main() {
	srv := grpc.NewServer()
	testpb.RegisterTestServiceServer(srv, open())
	reflection.Register(srv)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Stop()
}
