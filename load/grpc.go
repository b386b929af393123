package load

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/metadata"
)

// sentAtOnce is how many bytes of a stream's messages are handed to gRPC before
// its answers are read. SendMsg blocks when 64 KiB were not taken (internal/
// transport's defaultWriteQuota); a server that answers while it reads would
// then wait for us, and we for it.
const sentAtOnce = 32 << 10

// grpcLink is an exchanger over gRPC: one connection, one call at a time. A plan
// with several hosts has one connection to each of them. The server is not told
// of the timeout: a call that takes longer is cancelled.
type grpcLink struct {
	parent   context.Context
	settings *settings
	clock    *clock
	peers    []*grpcPeer // by kind; shared by kinds of one host
	answer   answer

	// The contexts live until a call times out, as those of httpLink.
	ctx      context.Context
	cancel   context.CancelCauseFunc
	timer    *time.Timer
	contexts []context.Context // by kind, with its metadata
}

var _ exchanger = (*grpcLink)(nil)

func newGRPCLink(ctx context.Context, s *settings, c *clock, seed maphash.Seed) *grpcLink {
	x := &grpcLink{parent: ctx, settings: s, clock: c}
	x.answer.sum.SetSeed(seed)
	known := map[grpcPeer]*grpcPeer{}
	for i := range s.kinds {
		p := newGRPCPeer(&s.kinds[i], s)
		if known[p] == nil {
			known[p] = &p
		}
		x.peers = append(x.peers, known[p])
	}
	x.renew()
	return x
}

// renew makes the contexts that the next calls use.
func (x *grpcLink) renew() {
	if x.timer != nil {
		x.timer.Stop()
		x.cancel(nil)
	}
	ctx, cancel := context.WithCancelCause(x.parent)
	x.ctx, x.cancel = ctx, cancel
	x.timer = time.AfterFunc(x.settings.timeout, func() { cancel(errTimeout) })
	x.timer.Stop()
	x.contexts = x.contexts[:0]
	for i := range x.settings.kinds {
		of := ctx
		if md := x.settings.kinds[i].rpc.header; len(md) > 0 {
			of = metadata.NewOutgoingContext(ctx, md)
		}
		x.contexts = append(x.contexts, of)
	}
}

func (x *grpcLink) exchange(kind int, hash bool) outcome {
	start := x.clock.now()
	x.timer.Reset(x.settings.timeout)
	var o outcome
	for again := false; ; again = true {
		fresh, err := x.connect(x.peers[kind])
		line := x.peers[kind].line
		if fresh {
			o.dial = x.clock.now() - start
		}
		if err == nil {
			line.forget()
			x.answer.reset(hash)
			err = x.call(line, kind)
		}
		o.done = x.clock.now()
		// A connection may go away just when it is wanted. When gRPC asked for
		// another one, the server has not seen the call.
		if err != nil && !again && !fresh && x.ctx.Err() == nil && line.unseen(err) {
			x.peers[kind].drop()
			continue
		}
		x.finish(&o, x.peers[kind], err)
		break
	}
	if !x.timer.Stop() { // it fired, or is about to: it must not hit the next call
		x.renew()
	}
	return o
}

// connect opens the connection unless it is open. A refusal is no error yet: the
// call fails by it at once, and in gRPC's words.
func (x *grpcLink) connect(p *grpcPeer) (fresh bool, err error) {
	if p.line != nil && p.line.client.GetState() == connectivity.Ready {
		return false, nil
	}
	p.drop()
	if p.line, err = newGRPCLine(p, x.clock); err != nil {
		return true, err
	}
	return true, p.line.open(x.ctx)
}

// call makes one call and reads its whole answer; nil is the status OK.
func (x *grpcLink) call(line *grpcLine, kind int) error {
	r := x.settings.kinds[kind].rpc
	if r.stream == nil {
		return line.client.Invoke(x.contexts[kind], r.path, r.messages[0], &x.answer)
	}
	stream, err := line.client.NewStream(x.contexts[kind], r.stream, r.path)
	if err != nil {
		return err
	}
	if r.bytes <= sentAtOnce {
		send(stream, r.messages)
	} else {
		sent := make(chan struct{})
		go func() { defer close(sent); send(stream, r.messages) }()
		defer func() { <-sent }() // the call is over: nothing blocks it
	}
	for {
		if err := stream.RecvMsg(&x.answer); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil || !r.stream.ServerStreams {
			return err
		}
	}
}

// send sends what is to be sent. Why it could not, RecvMsg says.
func send(stream grpc.ClientStream, messages []mem.BufferSlice) {
	for _, m := range messages {
		if stream.SendMsg(m) != nil {
			return
		}
	}
	_ = stream.CloseSend()
}

// finish fills the outcome of a call.
func (x *grpcLink) finish(o *outcome, p *grpcPeer, err error) {
	o.bytes = x.answer.bytes
	if p.line != nil {
		o.written = p.line.written.Load()
	}
	switch status, detail := answered(p.line, err); {
	case status > 0:
		o.status, o.detail, o.sum = status, detail, x.answer.total()
	case errors.Is(context.Cause(x.ctx), errTimeout):
		o.err, o.detail = failTimeout, fmt.Errorf("%w (%v)", errTimeout, x.settings.timeout)
		if p.line != nil && p.line.client.GetState() != connectivity.Ready {
			p.drop()
		}
	default:
		o.err, o.detail = grpcFailure(p.line, err)
		p.drop()
	}
}

func (x *grpcLink) close() {
	x.timer.Stop()
	x.cancel(nil)
	for _, p := range x.peers {
		p.drop()
	}
}

// answer is where the messages of an answer go: nobody keeps them.
type answer struct {
	bytes int64
	hash  bool
	sum   maphash.Hash
}

func (a *answer) reset(hash bool) {
	a.bytes, a.hash = 0, hash
	if hash {
		a.sum.Reset()
	}
}

func (a *answer) add(b []byte) {
	if a.hash && a.bytes < hashedBytes {
		_, _ = a.sum.Write(b)
	}
	a.bytes += int64(len(b))
}

func (a *answer) total() uint64 {
	if !a.hash {
		return 0
	}
	return a.sum.Sum64() ^ uint64(a.bytes)
}

// rawCodec passes messages as they are: those of the plan were marshalled
// before the load began. It is no codec that a server has to know: it is called
// like none, and the content type is that of every gRPC client.
type rawCodec struct{}

func (rawCodec) Name() string { return "" }

func (rawCodec) Marshal(v any) (mem.BufferSlice, error) { return v.(mem.BufferSlice), nil }

func (rawCodec) Unmarshal(data mem.BufferSlice, v any) error {
	a := v.(*answer)
	for _, b := range data {
		a.add(b.ReadOnlyData())
	}
	return nil
}
