// Addresses are checked before they are imported, over gRPC: a call brings rows, and is answered with how many
// are right, and how many are wrong for which reason. Wrong rows are the rule in what customers send.
package main

import (
	"bytes"
	"context"
	stderrors "errors"
	"fmt"
	"log"
	"slices"
	"strconv"
	"strings"

	"github.com/pkg/errors"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/status"

	"wild/service"
)

// What can be wrong with a row.
var (
	errFields  = stderrors.New("not four fields")
	errZip     = stderrors.New("zip code")
	errCountry = stderrors.New("country")
	errStreet  = stderrors.New("no number of a house")
)

// wrap says where an error was met.
func wrap(err error, where string) error {
	if service.After() {
		return fmt.Errorf("%s: %w", where, err)
	}
	return errors.Wrap(err, where)
}

var digits = map[string]int{"DE": 5, "FR": 5, "AT": 4, "CH": 4, "DK": 4}

func checkZip(country, zip string) error {
	n, ok := digits[country]
	if !ok {
		return wrap(errCountry, strconv.Quote(country))
	}
	if _, err := strconv.Atoi(zip); err != nil || len(zip) != n {
		return wrap(errZip, strconv.Quote(zip))
	}
	return nil
}

func checkStreet(street string) error {
	i := strings.LastIndexByte(street, ' ')
	if i < 0 || i+1 == len(street) || street[i+1] < '1' || street[i+1] > '9' {
		return wrap(errStreet, strconv.Quote(street))
	}
	return nil
}

// address is a row that was taken apart.
type address struct{ name, street, zip, country string }

func parse(row []byte) (address, error) {
	f := strings.Split(string(row), ";")
	if len(f) != 4 {
		return address{}, wrap(errFields, strconv.Itoa(len(f)))
	}
	return address{strings.TrimSpace(f[0]), f[1], f[2], f[3]}, nil
}

func (a address) check() error {
	if err := checkZip(a.country, a.zip); err != nil {
		return wrap(err, "place")
	}
	if err := checkStreet(a.street); err != nil {
		return wrap(err, "street")
	}
	return nil
}

func checkRow(n int, row []byte) error {
	a, err := parse(row)
	if err == nil {
		err = a.check()
	}
	if err != nil {
		return wrap(err, "row "+strconv.Itoa(n))
	}
	return nil
}

// report counts rows.
type report struct {
	right   int
	reasons map[string]int
	first   error
}

func (r *report) add(err error) {
	if err == nil {
		r.right++
		return
	}
	if r.first == nil {
		r.first = err
	}
	for _, reason := range []error{errFields, errZip, errCountry, errStreet} {
		if errors.Is(err, reason) {
			r.reasons[reason.Error()]++
			return
		}
	}
}

func (r *report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d right", r.right)
	var names []string
	for name := range r.reasons {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(&b, ", %d %s", r.reasons[name], name)
	}
	if r.first != nil {
		fmt.Fprintf(&b, "; first: %v", r.first)
	}
	return b.String()
}

type checker struct {
	testpb.UnimplementedTestServiceServer
}

func (checker) UnaryCall(_ context.Context, in *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
	rows := bytes.TrimSpace(in.GetPayload().GetBody())
	if len(rows) == 0 {
		return nil, status.Error(codes.InvalidArgument, "no rows")
	}
	r, n := report{reasons: map[string]int{}}, 0
	for row := range bytes.SplitSeq(rows, []byte("\n")) {
		n++
		r.add(checkRow(n, row))
	}
	return &testpb.SimpleResponse{Payload: &testpb.Payload{Body: []byte(r.String())}, Username: "checker"}, nil
}

func main() {
	srv := grpc.NewServer()
	testpb.RegisterTestServiceServer(srv, checker{})
	reflection.Register(srv)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Stop()
}
