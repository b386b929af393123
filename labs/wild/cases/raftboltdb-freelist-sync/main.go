// Settings that are replicated by Raft, of which this is the only voter: a call sets one, which is
// an entry of the log in BoltDB before it is one of the map. After a busy day most of the log's
// file is free: what was in it is in a snapshot by now.
package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log"
	"os"
	"path/filepath"
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

const (
	past  = 24_000 // entries of the busy day
	large = 8000   // bytes in each
)

// settings are what the log says, a name to a value.
type settings struct {
	mu     sync.RWMutex
	values map[string]string
}

func (s *settings) Apply(l *raft.Log) any {
	name, value, ok := bytes.Cut(l.Data, []byte("="))
	if !ok {
		return errors.New("want NAME=VALUE")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values[string(name)] = string(value)
	return len(s.values)
}

type snapshot struct{ text []byte }

func (s snapshot) Persist(sink raft.SnapshotSink) error {
	if _, err := sink.Write(s.text); err != nil {
		return errors.Join(err, sink.Cancel())
	}
	return sink.Close()
}

func (snapshot) Release() {}

func (s *settings) Snapshot() (raft.FSMSnapshot, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var b bytes.Buffer
	for name, value := range s.values {
		b.WriteString(name + "=" + value + "\n")
	}
	return snapshot{b.Bytes()}, nil
}

func (s *settings) Restore(r io.ReadCloser) error {
	defer r.Close()
	b, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.values)
	for line := range bytes.Lines(b) {
		if name, value, ok := bytes.Cut(bytes.TrimSpace(line), []byte("=")); ok {
			s.values[string(name)] = string(value)
		}
	}
	return nil
}

// busyDay leaves a file behind that had a long log in it.
func busyDay(path string) error {
	store, err := raftboltdb.New(raftboltdb.Options{Path: path, NoSync: true})
	if err != nil {
		return err
	}
	data := bytes.Repeat([]byte("x"), large)
	for first := uint64(1); first <= past; first += 1000 {
		var logs []*raft.Log
		for i := range uint64(1000) {
			logs = append(logs, &raft.Log{Index: first + i, Term: 1, Type: raft.LogCommand, Data: data})
		}
		if err := store.StoreLogs(logs); err != nil {
			return err
		}
	}
	if err := store.DeleteRange(1, past); err != nil {
		return err
	}
	return store.Close()
}

func start(dir string, s *settings) (*raft.Raft, error) {
	options := raftboltdb.Options{Path: filepath.Join(dir, "raft.db")}
	if service.After() {
		options.BoltOptions = &bbolt.Options{NoFreelistSync: true, FreelistType: bbolt.FreelistMapType}
	}
	store, err := raftboltdb.New(options)
	if err != nil {
		return nil, err
	}
	snapshots, err := raft.NewFileSnapshotStore(dir, 1, io.Discard)
	if err != nil {
		return nil, err
	}
	config := raft.DefaultConfig()
	config.LocalID, config.LogOutput = "one", io.Discard
	config.HeartbeatTimeout, config.ElectionTimeout, config.LeaderLeaseTimeout = 100*time.Millisecond, 100*time.Millisecond, 50*time.Millisecond
	address, transport := raft.NewInmemTransport("one")
	r, err := raft.NewRaft(config, s, store, store, snapshots, transport)
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
	set := in.GetPayload().GetBody()
	if len(set) > 4096 {
		return nil, status.Error(codes.InvalidArgument, "more than 4 KB")
	}
	f := s.raft.Apply(set, 5*time.Second)
	if err := f.Error(); err != nil {
		return nil, status.Error(codes.Unavailable, err.Error())
	}
	if err, ok := f.Response().(error); ok {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	return &testpb.SimpleResponse{Payload: &testpb.Payload{Body: []byte("ok")}}, nil
}

func main() {
	dir, err := os.MkdirTemp("", "settings-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := busyDay(filepath.Join(dir, "raft.db")); err != nil {
		log.Fatal(err)
	}
	r, err := start(dir, &settings{values: map[string]string{}})
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
