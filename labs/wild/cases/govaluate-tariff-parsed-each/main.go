// Tariffs of a toll road, over gRPC: the fee of a journey is a formula that the road's office wrote, of length, axles and class, and some
// lorries are exempt.
package main

import (
	"context"
	"encoding/json"
	"log"

	"github.com/Knetic/govaluate"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/status"

	"wild/service"
)

// formulas are tried in order: the first that applies is the fee's.
var formulas = []struct{ when, fee string }{
	{"class == 'ambulance' || class == 'fire' || (class == 'bus' && km <= 5 && axles < 3)", "0"},
	{"class =~ '^lorry' && axles >= 4 && (km > 120 || night == true)", "round(km * 0.214 + (axles - 3) * 1.75 + (night ? 0 : 4.5))"},
	{"class =~ '^lorry' && axles >= 2", "round(km * 0.151 + axles * 0.9 + (night ? 1 : 2.5))"},
	{"class == 'bus' || class == 'coach'", "round(km * 0.09 + (night ? 0.5 : 1.5))"},
	{"km >= 0", "round(km * 0.045 + (night ? 0 : 0.8))"},
}

var functions = map[string]govaluate.ExpressionFunction{
	"round": func(args ...any) (any, error) {
		x, _ := args[0].(float64)
		return float64(int(x*100+0.5)) / 100, nil
	},
}

// road knows its formulas, read.
type road struct {
	testpb.UnimplementedTestServiceServer
	when, fee []*govaluate.EvaluableExpression
}

func open() (*road, error) {
	r := &road{}
	for _, f := range formulas {
		when, err := govaluate.NewEvaluableExpressionWithFunctions(f.when, functions)
		if err != nil {
			return nil, err
		}
		fee, err := govaluate.NewEvaluableExpressionWithFunctions(f.fee, functions)
		if err != nil {
			return nil, err
		}
		r.when, r.fee = append(r.when, when), append(r.fee, fee)
	}
	return r, nil
}

// evaluate works out formula i, one of whether it applies and one of the fee.
func (r *road) evaluate(read []*govaluate.EvaluableExpression, i int, text string, journey map[string]any) (any, error) {
	if service.After() {
		return read[i].Evaluate(journey)
	}
	e, err := govaluate.NewEvaluableExpressionWithFunctions(text, functions)
	if err != nil {
		return nil, err
	}
	return e.Evaluate(journey)
}

func (r *road) toll(journey map[string]any) (any, error) {
	for i, f := range formulas {
		applies, err := r.evaluate(r.when, i, f.when, journey)
		if err != nil {
			return nil, err
		}
		if applies == true {
			return r.evaluate(r.fee, i, f.fee, journey)
		}
	}
	return nil, status.Error(codes.NotFound, "no tariff")
}

// UnaryCall has a journey as its body, and answers with its fee.
func (r *road) UnaryCall(_ context.Context, in *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
	var journey map[string]any
	if err := json.Unmarshal(in.GetPayload().GetBody(), &journey); err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	fee, err := r.toll(journey)
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(map[string]any{"fee": fee})
	if err != nil {
		return nil, err
	}
	return &testpb.SimpleResponse{Payload: &testpb.Payload{Body: body}}, nil
}

func main() {
	r, err := open()
	if err != nil {
		log.Fatal(err)
	}
	srv := grpc.NewServer()
	testpb.RegisterTestServiceServer(srv, r)
	reflection.Register(srv)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Stop()
}
