package api

import (
	"context"
	"errors"
	"io"
	"time"

	"google.golang.org/grpc"

	"github.com/unpark-go/unpark/labs/broker/rpc"
	"github.com/unpark-go/unpark/labs/broker/store"
	"github.com/unpark-go/unpark/labs/broker/task"
)

// stream serves the broker over gRPC.
type stream struct {
	rpc.UnimplementedBrokerServer
	service *Service
}

var _ rpc.BrokerServer = (*stream)(nil)

// Stream serves the broker over gRPC.
func Stream(s *Service) rpc.BrokerServer { return &stream{service: s} }

// Work implements rpc.BrokerServer.
func (s *stream) Work(calls grpc.BidiStreamingServer[rpc.Call, rpc.Reply]) error {
	for {
		call, err := calls.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		reply, err := s.answer(calls.Context(), call)
		if err != nil {
			reply = &rpc.Reply{Reply: &rpc.Reply_Failure{Failure: failureOf(err)}}
		}
		if err := calls.Send(reply); err != nil {
			return err
		}
	}
}

func (s *stream) answer(ctx context.Context, call *rpc.Call) (*rpc.Reply, error) {
	switch c := call.GetCall().(type) {
	case *rpc.Call_Create:
		id, again, err := s.service.Create(ctx, c.Create.GetKey(), c.Create.GetPayload())
		return &rpc.Reply{Reply: &rpc.Reply_Created{Created: &rpc.Created{Id: id, Again: again}}}, err
	case *rpc.Call_Claim:
		lease := time.Duration(c.Claim.GetLeaseMs()) * time.Millisecond
		d, ok, err := s.service.Claim(ctx, c.Claim.GetWorker(), lease)
		return &rpc.Reply{Reply: &rpc.Reply_Claimed{Claimed: &rpc.Claimed{
			Found: ok, Id: d.ID, Payload: d.Payload, Attempt: d.Attempt,
		}}}, err
	case *rpc.Call_Complete:
		return done(), s.service.Complete(ctx, c.Complete.GetId(), c.Complete.GetAttempt())
	case *rpc.Call_Cycle:
		return done(), s.service.Cycle(ctx, c.Cycle.GetPayload())
	default:
		return nil, ErrBadRequest
	}
}

func done() *rpc.Reply { return &rpc.Reply{Reply: &rpc.Reply_Done{Done: &rpc.Done{}}} }

func failureOf(err error) *rpc.Failure {
	f := &rpc.Failure{Text: err.Error()}
	elsewhere, ok := errors.AsType[*store.Elsewhere](err)
	switch {
	case ok:
		f.Kind, f.Leader = rpc.Failure_ELSEWHERE, elsewhere.Leader
	case errors.Is(err, store.ErrClosed), errors.Is(err, context.DeadlineExceeded):
		f.Kind = rpc.Failure_UNAVAILABLE
	case errors.Is(err, ErrBadRequest):
		f.Kind = rpc.Failure_INVALID
	case errors.Is(err, task.ErrUnknown):
		f.Kind = rpc.Failure_UNKNOWN
	case errors.Is(err, task.ErrLeaseLost):
		f.Kind = rpc.Failure_LEASE_LOST
	}
	return f
}
