package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/unpark-go/unpark/labs/broker/api"
	"github.com/unpark-go/unpark/labs/broker/rpc"
)

// The transports of HTTP clients.
const (
	// Default is net/http's: two idle connections for each host (MaxIdleConnsPerHost),
	// so that more workers than that open and close connections all the time.
	Default = "default"
	// Tuned keeps a connection for each worker.
	Tuned = "tuned"
)

// HTTP returns how workers share one HTTP client, and the number of connections
// that it opened.
func HTTP(transport string, workers int) (Dial, *atomic.Int64, error) {
	t := http.DefaultTransport.(*http.Transport).Clone()
	switch transport {
	case Default:
	case Tuned:
		t.MaxIdleConns, t.MaxIdleConnsPerHost = 0, workers
	default:
		return nil, nil, fmt.Errorf("transport %q is unknown: choose %s, %s or grpc", transport, Default, Tuned)
	}
	var opened atomic.Int64
	dialer := &net.Dialer{Timeout: attempt, KeepAlive: 30 * time.Second}
	t.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
		opened.Add(1)
		return dialer.DialContext(ctx, network, addr)
	}
	client := &http.Client{Transport: t}
	return func(url string) (Node, error) { return &httpNode{client, url}, nil }, &opened, nil
}

// httpNode is a node behind its JSON API.
type httpNode struct {
	client *http.Client
	url    string
}

var _ Node = (*httpNode)(nil)

// Close implements Node: connections belong to the client that workers share.
func (n *httpNode) Close() error { return nil }

// Do implements Node.
func (n *httpNode) Do(ctx context.Context, call *rpc.Call) (*rpc.Reply, error) {
	switch c := call.GetCall().(type) {
	case *rpc.Call_Create:
		var out api.Created
		return n.post(ctx, "/v1/tasks", api.CreateRequest{Key: c.Create.GetKey(), Payload: c.Create.GetPayload()}, &out, func(status int) *rpc.Reply {
			return &rpc.Reply{Reply: &rpc.Reply_Created{Created: &rpc.Created{Id: out.ID, Again: status == http.StatusOK}}}
		})
	case *rpc.Call_Claim:
		var out api.Delivery
		return n.post(ctx, "/v1/claims", api.ClaimRequest{Worker: c.Claim.GetWorker(), LeaseMS: c.Claim.GetLeaseMs()}, &out, func(status int) *rpc.Reply {
			return &rpc.Reply{Reply: &rpc.Reply_Claimed{Claimed: &rpc.Claimed{
				Found: status == http.StatusOK, Id: out.ID, Payload: out.Payload, Attempt: out.Attempt,
			}}}
		})
	case *rpc.Call_Complete:
		path := "/v1/tasks/" + c.Complete.GetId() + "/complete"
		return n.post(ctx, path, api.CompleteRequest{Attempt: c.Complete.GetAttempt()}, nil, done)
	default:
		return n.post(ctx, "/v1/cycle", struct{}{}, nil, done)
	}
}

func done(int) *rpc.Reply { return &rpc.Reply{Reply: &rpc.Reply_Done{Done: &rpc.Done{}}} }

// post sends in and, when it succeeds, decodes the answer into out, which may be
// nil.
func (n *httpNode) post(ctx context.Context, path string, in, out any, reply func(status int) *rpc.Reply) (*rpc.Reply, error) {
	body, err := json.Marshal(in)
	if err != nil {
		return nil, fmt.Errorf("encode the body: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, n.url+path, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("make the request: %w", err)
	}
	resp, err := n.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	// Read to its end: else the connection is not used again.
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, fmt.Errorf("read the answer: %w", err)
	}
	if resp.StatusCode >= 300 {
		return failure(resp, answer), nil
	}
	if out != nil && len(answer) > 0 {
		if err := json.Unmarshal(answer, out); err != nil {
			return nil, fmt.Errorf("decode the answer: %w", err)
		}
	}
	return reply(resp.StatusCode), nil
}

func failure(resp *http.Response, answer []byte) *rpc.Reply {
	f := &rpc.Failure{Leader: resp.Header.Get(api.HeaderLeader)}
	switch resp.StatusCode {
	case http.StatusMisdirectedRequest:
		f.Kind = rpc.Failure_ELSEWHERE
	case http.StatusServiceUnavailable:
		f.Kind = rpc.Failure_UNAVAILABLE
	case http.StatusBadRequest:
		f.Kind = rpc.Failure_INVALID
	case http.StatusNotFound:
		f.Kind = rpc.Failure_UNKNOWN
	case http.StatusConflict:
		f.Kind = rpc.Failure_LEASE_LOST
	}
	var said api.Failure
	if json.Unmarshal(answer, &said) != nil || said.Error == "" {
		said.Error = resp.Status
	}
	f.Text = said.Error
	return &rpc.Reply{Reply: &rpc.Reply_Failure{Failure: f}}
}
