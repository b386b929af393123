// Alarms of a waterworks over gRPC: a pumping station sends what its sensors say, and the rules of the operators, which are expressions,
// say which alarms are raised.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/PaesslerAG/gval"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/status"

	"wild/service"
)

// rule is one of the operators.
type rule struct {
	Name, When string
	evaluable  gval.Evaluable
}

// works has the rules.
type works struct {
	testpb.UnimplementedTestServiceServer
	rules []*rule
}

func open() (*works, error) {
	w := &works{rules: []*rule{
		{Name: "dry", When: `level < 0.4 && flow > 2`},
		{Name: "overflow", When: `level > 3.8 || (level > 3.5 && inflow > outflow)`},
		{Name: "pressure", When: `pressure < 2.1 || pressure > 6.5`},
		{Name: "hot", When: `motor > 85 && ambient < 40`},
		{Name: "cavitation", When: `vibration > 7.1 && pressure < 2.5`},
		{Name: "imbalance", When: `(inflow - outflow) / (inflow + 1) > 0.35`},
		{Name: "turbid", When: `turbidity * 1.5 > 4 && flow > 0.5`},
		{Name: "night", When: `hour < 5 && flow > 6 * (level + 1)`},
	}}
	for _, r := range w.rules {
		var err error
		if r.evaluable, err = gval.Full().NewEvaluable(r.When); err != nil {
			return nil, fmt.Errorf("rule %s: %w", r.Name, err)
		}
	}
	return w, nil
}

// raised says whether a rule is met.
func (r *rule) raised(ctx context.Context, sensors map[string]any) (bool, error) {
	if service.After() {
		return r.evaluable.EvalBool(ctx, sensors)
	}
	value, err := gval.EvaluateWithContext(ctx, r.When, sensors)
	if err != nil {
		return false, err
	}
	yes, ok := value.(bool)
	if !ok {
		return false, fmt.Errorf("rule %s is no condition", r.Name)
	}
	return yes, nil
}

// UnaryCall says which alarms a station has.
func (w *works) UnaryCall(ctx context.Context, in *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
	var readings []map[string]any
	if err := json.Unmarshal(in.GetPayload().GetBody(), &readings); err != nil || len(readings) > 60 {
		return nil, status.Error(codes.InvalidArgument, "readings are a list")
	}
	alarms := map[string]int{}
	for _, sensors := range readings {
		for _, r := range w.rules {
			yes, err := r.raised(ctx, sensors)
			if err != nil {
				return nil, status.Error(codes.InvalidArgument, err.Error())
			}
			if yes {
				alarms[r.Name]++
			}
		}
	}
	out, err := json.Marshal(map[string]any{"readings": len(readings), "alarms": alarms})
	if err != nil {
		return nil, status.Error(codes.Internal, err.Error())
	}
	return &testpb.SimpleResponse{Payload: &testpb.Payload{Body: out}}, nil
}

func main() {
	w, err := open()
	if err != nil {
		log.Fatal(err)
	}
	srv := grpc.NewServer()
	testpb.RegisterTestServiceServer(srv, w)
	reflection.Register(srv)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Stop()
}
