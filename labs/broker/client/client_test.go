package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/unpark-go/unpark/labs/broker/api"
	"github.com/unpark-go/unpark/labs/broker/rpc"
	"github.com/unpark-go/unpark/labs/broker/task"
)

// script is a Node that answers as it is told, one answer for each call.
type script struct {
	replies []any // *rpc.Reply or error
	calls   *[]string
	url     string
}

func (s *script) Close() error { return nil }

func (s *script) Do(context.Context, *rpc.Call) (*rpc.Reply, error) {
	*s.calls = append(*s.calls, s.url)
	next := s.replies[0]
	if len(s.replies) > 1 {
		s.replies = s.replies[1:]
	}
	if err, ok := next.(error); ok {
		return nil, err
	}
	return next.(*rpc.Reply), nil
}

func failed(kind rpc.Failure_Kind, leader string) *rpc.Reply {
	return &rpc.Reply{Reply: &rpc.Reply_Failure{Failure: &rpc.Failure{Kind: kind, Leader: leader, Text: "no"}}}
}

func made(id string) *rpc.Reply {
	return &rpc.Reply{Reply: &rpc.Reply_Created{Created: &rpc.Created{Id: id}}}
}

// scripted is a client of two nodes, "a", which leads the one shard at first, and "b".
func scripted(a, b []any) (*Client, *[]string) {
	calls := &[]string{}
	nodes := map[string]*script{"a": {a, calls, "a"}, "b": {b, calls, "b"}}
	return &Client{
		urls: []string{"a", "b"}, shards: api.Shards{Leaders: []string{"a"}}, nodes: map[string]Node{},
		dial: func(url string) (Node, error) { return nodes[url], nil },
	}, calls
}

func TestFollowsTheLeader(t *testing.T) {
	lost := errors.New("connection lost")
	for _, tt := range []struct {
		name  string
		a, b  []any
		calls string
		want  error
	}{
		{"at once", []any{made("0-1")}, nil, "[a]", nil},
		{"moved", []any{failed(rpc.Failure_ELSEWHERE, "b")}, []any{made("0-1")}, "[a b]", nil},
		{"election", []any{failed(rpc.Failure_ELSEWHERE, "")}, []any{made("0-1")}, "[a b]", nil},
		{"gone", []any{lost}, []any{failed(rpc.Failure_UNAVAILABLE, ""), made("0-1")}, "[a b a b]", nil},
		{"refused", []any{failed(rpc.Failure_LEASE_LOST, "")}, nil, "[a]", task.ErrLeaseLost},
		{"unknown", []any{failed(rpc.Failure_UNKNOWN, "")}, nil, "[a]", task.ErrUnknown},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, calls := scripted(tt.a, tt.b)
			id, err := c.Create(t.Context(), "k", nil)
			if got := fmt.Sprint(*calls); got != tt.calls || !errors.Is(err, tt.want) || err == nil && id != "0-1" {
				t.Errorf("asked %s, want %s: %q, %v", got, tt.calls, id, err)
			}
		})
	}
	t.Run("broken", func(t *testing.T) {
		c, _ := scripted([]any{failed(rpc.Failure_INTERNAL, "")}, nil)
		if _, err := c.Create(t.Context(), "k", nil); err == nil {
			t.Error("an internal error was repeated for ever or passed over")
		}
	})
	t.Run("nobody", func(t *testing.T) {
		c, _ := scripted([]any{lost}, []any{lost})
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		if _, err := c.Create(ctx, "k", nil); !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, lost) {
			t.Errorf("%v", err)
		}
	})
}

func TestLedger(t *testing.T) {
	claimed := func(key, id string, attempt uint64) *rpc.Reply {
		return &rpc.Reply{Reply: &rpc.Reply_Claimed{Claimed: &rpc.Claimed{Found: true, Id: id, Payload: []byte(key), Attempt: attempt}}}
	}
	none := &rpc.Reply{Reply: &rpc.Reply_Claimed{Claimed: &rpc.Claimed{}}}
	c, _ := scripted([]any{
		made("0-1"), claimed("x", "0-1", 1), failed(rpc.Failure_LEASE_LOST, ""), // the lease ended
		made("0-2"), claimed("x", "0-1", 2), done(0),
	}, []any{none})
	var l Ledger
	if l.Cycle(t.Context(), c, "x", time.Second) || !l.Cycle(t.Context(), c, "y", time.Second) {
		t.Error("a lost lease counts, or a completion does not")
	}
	a := l.Account()
	if a.Created != 2 || a.Completed != 1 || a.Deliveries != 2 || a.Repeated != 1 || len(a.Missing) != 1 || len(a.Errors) != 0 {
		t.Errorf("%+v", a)
	}
	broken, _ := scripted([]any{failed(rpc.Failure_INTERNAL, "")}, nil)
	if l.Cycle(t.Context(), broken, "z", time.Second) || len(l.Account().Errors) != 1 {
		t.Errorf("%+v", l.Account())
	}
}

// With net/http's default transport more than two workers open connections over
// and over; a tuned one keeps one for each.
func TestConnections(t *testing.T) {
	const workers, rounds = 8, 10
	opened := map[string]int64{}
	for _, transport := range []string{Default, Tuned} {
		arrived, leave := make(chan struct{}), make(chan struct{})
		server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			arrived <- struct{}{} // all workers have a connection under way at the same time
			<-leave
		}))
		dial, count, err := HTTP(transport, workers)
		if err != nil {
			t.Fatal(err)
		}
		n, err := dial(server.URL)
		if err != nil {
			t.Fatal(err)
		}
		for range rounds {
			errs := make(chan error, workers)
			for range workers {
				go func() {
					_, err := n.Do(context.Background(), &rpc.Call{})
					errs <- err
				}()
			}
			for range workers {
				<-arrived
			}
			for range workers {
				leave <- struct{}{}
			}
			for range workers {
				if err := <-errs; err != nil {
					t.Error(err)
				}
			}
		}
		opened[transport] = count.Load()
		server.Close()
	}
	if opened[Tuned] > 2*workers || opened[Default] < workers+(rounds-1)*(workers-2)/2 {
		t.Errorf("connections opened: %v", opened)
	}
	if _, _, err := HTTP("pigeon", 1); err == nil {
		t.Error("an unknown transport was made")
	}
}

func TestNew(t *testing.T) {
	tries := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if tries++; tries < 3 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		fmt.Fprint(w, `{"leaders":["http://x",""]}`)
	}))
	defer server.Close()
	c, err := New(t.Context(), []string{server.URL}, nil)
	if err != nil || len(c.shards.Leaders) != 2 {
		t.Errorf("%+v, %v", c, err)
	}
	if shard, err := c.shards.OfID("1-7"); err != nil || shard != 1 {
		t.Errorf("task 1-7 is in shard %d, %v", shard, err)
	}
	if _, err := c.shards.OfID("2-7"); !errors.Is(err, task.ErrUnknown) {
		t.Errorf("a task of a shard that there is not: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := New(ctx, []string{"http://127.0.0.1:1"}, nil); err == nil {
		t.Error("a node that is not there has shards")
	}
}
