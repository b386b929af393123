package client

import (
	"context"
	"errors"
	"fmt"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/unpark-go/unpark/labs/broker/rpc"
)

// Streams are connections to nodes over gRPC, one for each node, shared by all
// workers; each worker has a stream of its own on it.
type Streams struct{ conns map[string]*grpc.ClientConn }

// GRPC returns connections to the gRPC addresses of nodes, by their URLs. They are
// made when they are first used.
func GRPC(addrs map[string]string) (*Streams, error) {
	s := &Streams{conns: map[string]*grpc.ClientConn{}}
	for url, addr := range addrs {
		c, err := grpc.NewClient("passthrough:///"+addr, grpc.WithTransportCredentials(insecure.NewCredentials()))
		if err != nil {
			return nil, errors.Join(fmt.Errorf("prepare the connection to %s: %w", addr, err), s.Close())
		}
		s.conns[url] = c
	}
	return s, nil
}

// Close closes the connections.
func (s *Streams) Close() error {
	var all error
	for _, c := range s.conns {
		all = errors.Join(all, c.Close())
	}
	return all
}

// Dial is a Dial.
func (s *Streams) Dial(url string) (Node, error) {
	conn := s.conns[url]
	if conn == nil {
		return nil, fmt.Errorf("the gRPC address of %s is not known: name it beside the URL", url)
	}
	ctx, cancel := context.WithCancel(context.Background())
	work, err := rpc.NewBrokerClient(conn).Work(ctx)
	if err != nil {
		cancel()
		return nil, fmt.Errorf("open a stream to %s: %w", url, err)
	}
	return &streamNode{work, cancel}, nil
}

// streamNode is a node behind one stream.
type streamNode struct {
	work   grpc.BidiStreamingClient[rpc.Call, rpc.Reply]
	cancel context.CancelFunc
}

var _ Node = (*streamNode)(nil)

// Do implements Node. The stream cannot be used any more after an error.
func (n *streamNode) Do(ctx context.Context, call *rpc.Call) (*rpc.Reply, error) {
	stop := context.AfterFunc(ctx, n.cancel)
	defer stop()
	if err := n.work.Send(call); err != nil {
		return nil, err
	}
	return n.work.Recv()
}

// Close implements Node.
func (n *streamNode) Close() error {
	n.cancel()
	return nil
}
