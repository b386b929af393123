// A ledger that is replicated by Raft, of which this is the only voter: a call books an amount and
// is answered when the entry is on the disk. The log in BoltDB is small, and entries that come at the
// same time are synced together: the time is that of the disk, on purpose.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/raft"
	raftboltdb "github.com/hashicorp/raft-boltdb/v2"
	"go.etcd.io/bbolt"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/status"

	"wild/service"
)

// booking moves cents from one account to another.
type booking struct {
	From  string `json:"from"`
	To    string `json:"to"`
	Cents int64  `json:"cents"`
}

type ledger struct {
	mu       sync.RWMutex
	accounts map[string]int64
}

func (l *ledger) Apply(entry *raft.Log) any {
	var b booking
	if err := json.Unmarshal(entry.Data, &b); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.accounts[b.From] -= b.Cents
	l.accounts[b.To] += b.Cents
	return nil
}

type snapshot map[string]int64

func (s snapshot) Persist(sink raft.SnapshotSink) error {
	if err := json.NewEncoder(sink).Encode(s); err != nil {
		return errors.Join(err, sink.Cancel())
	}
	return sink.Close()
}

func (snapshot) Release() {}

func (l *ledger) Snapshot() (raft.FSMSnapshot, error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	s := snapshot{}
	for name, cents := range l.accounts {
		s[name] = cents
	}
	return s, nil
}

func (l *ledger) Restore(r io.ReadCloser) error {
	defer r.Close()
	accounts := map[string]int64{}
	if err := json.NewDecoder(r).Decode(&accounts); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.accounts = accounts
	return nil
}

func start(dir string, l *ledger) (*raft.Raft, error) {
	store, err := raftboltdb.New(raftboltdb.Options{
		Path: filepath.Join(dir, "raft.db"), BoltOptions: &bbolt.Options{NoFreelistSync: true, FreelistType: bbolt.FreelistMapType},
	})
	if err != nil {
		return nil, err
	}
	config := raft.DefaultConfig()
	config.LocalID, config.LogOutput = "one", io.Discard
	config.HeartbeatTimeout, config.ElectionTimeout, config.LeaderLeaseTimeout = 100*time.Millisecond, 100*time.Millisecond, 50*time.Millisecond
	snapshots, err := raft.NewFileSnapshotStore(dir, 1, io.Discard)
	if err != nil {
		return nil, err
	}
	address, transport := raft.NewInmemTransport("one")
	r, err := raft.NewRaft(config, l, store, store, snapshots, transport)
	if err != nil {
		return nil, err
	}
	err = r.BootstrapCluster(raft.Configuration{Servers: []raft.Server{{ID: "one", Address: address}}}).Error()
	if err != nil {
		return nil, err
	}
	select {
	case <-r.LeaderCh():
		return r, nil
	case <-time.After(10 * time.Second):
		return nil, errors.New("no leader")
	}
}

type server struct {
	testpb.UnimplementedTestServiceServer
	raft *raft.Raft
}

func (s *server) UnaryCall(_ context.Context, in *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
	var b booking
	if err := json.Unmarshal(in.GetPayload().GetBody(), &b); err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	if b.Cents <= 0 || strings.TrimSpace(b.From) == "" || b.From == b.To {
		return nil, status.Error(codes.InvalidArgument, "from whom to whom?")
	}
	entry, err := json.Marshal(b)
	if err != nil {
		return nil, err
	}
	f := s.raft.Apply(entry, 5*time.Second)
	if err := f.Error(); err != nil {
		return nil, status.Error(codes.Unavailable, err.Error())
	}
	if err, ok := f.Response().(error); ok {
		return nil, status.Error(codes.Internal, err.Error())
	}
	return &testpb.SimpleResponse{Payload: &testpb.Payload{Body: []byte("booked")}}, nil
}

func main() {
	dir, err := os.MkdirTemp("", "ledger-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	r, err := start(dir, &ledger{accounts: map[string]int64{}})
	if err != nil {
		log.Fatal(err)
	}
	srv := grpc.NewServer()
	testpb.RegisterTestServiceServer(srv, &server{raft: r})
	reflection.Register(srv)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Stop()
	r.Shutdown()
}
