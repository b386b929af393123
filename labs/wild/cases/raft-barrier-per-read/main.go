// Switches for features, replicated by Raft, of which this is the only voter: a switch is set
// seldom and asked for all the time. Who asks must not be told what was true before the last change.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"hash/fnv"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/hashicorp/raft"
	raftboltdb "github.com/hashicorp/raft-boltdb/v2"

	"wild/service"
)

const patience = 5 * time.Second

// feature is switched on for a share of the users, and for some by name.
type feature struct {
	Name    string   `json:"name"`
	Percent uint32   `json:"percent"`
	Always  []string `json:"always,omitempty"`
}

func (f feature) on(user string) bool {
	for _, u := range f.Always {
		if u == user {
			return true
		}
	}
	h := fnv.New32a()
	io.WriteString(h, f.Name+"/"+user)
	return h.Sum32()%100 < f.Percent
}

// switches is the state that the log makes.
type switches struct {
	mu  sync.RWMutex
	all map[string]feature
}

func (s *switches) Apply(entry *raft.Log) any {
	var f feature
	if err := json.Unmarshal(entry.Data, &f); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all[f.Name] = f
	return nil
}

func (s *switches) Snapshot() (raft.FSMSnapshot, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	data, err := json.Marshal(s.all)
	return snapshot(data), err
}

func (s *switches) Restore(r io.ReadCloser) error {
	defer r.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	return json.NewDecoder(r).Decode(&s.all)
}

type snapshot []byte

func (s snapshot) Persist(sink raft.SnapshotSink) error {
	if _, err := sink.Write(s); err != nil {
		return errors.Join(err, sink.Cancel())
	}
	return sink.Close()
}

func (snapshot) Release() {}

// node is this member of the cluster.
type node struct {
	raft  *raft.Raft
	state *switches
}

// fresh returns when the state is not older than the call.
func (n *node) fresh() error {
	if service.After() {
		return n.raft.VerifyLeader().Error()
	}
	return n.raft.Barrier(patience).Error()
}

func (n *node) read(name string) (feature, bool, error) {
	if err := n.fresh(); err != nil {
		return feature{}, false, err
	}
	n.state.mu.RLock()
	defer n.state.mu.RUnlock()
	f, ok := n.state.all[name]
	return f, ok, nil
}

func (n *node) set(f feature) error {
	data, err := json.Marshal(f)
	if err != nil {
		return err
	}
	done := n.raft.Apply(data, patience)
	if err := done.Error(); err != nil {
		return err
	}
	err, _ = done.Response().(error)
	return err
}

func open(ctx context.Context, dir string) (*node, error) {
	disk, err := raftboltdb.NewBoltStore(filepath.Join(dir, "raft.db"))
	if err != nil {
		return nil, err
	}
	snapshots, err := raft.NewFileSnapshotStore(dir, 1, io.Discard)
	if err != nil {
		return nil, err
	}
	config := raft.DefaultConfig()
	config.LocalID, config.LogOutput = "one", io.Discard
	address, transport := raft.NewInmemTransport("one")
	n := &node{state: &switches{all: map[string]feature{}}}
	if n.raft, err = raft.NewRaft(config, n.state, disk, disk, snapshots, transport); err != nil {
		return nil, err
	}
	err = n.raft.BootstrapCluster(raft.Configuration{Servers: []raft.Server{{ID: config.LocalID, Address: address}}}).Error()
	if err != nil {
		return nil, err
	}
	select {
	case <-n.raft.LeaderCh():
		return n, n.raft.Barrier(patience).Error()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func main() {
	dir, err := os.MkdirTemp("", "wild-raft-*")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	n, err := open(ctx, dir)
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range []feature{{"new-basket", 30, []string{"ann"}}, {"dark-mode", 80, nil}, {"express", 5, []string{"bob", "cid"}}} {
		if err := n.set(f); err != nil {
			log.Fatal(err)
		}
	}
	http.HandleFunc("GET /features/{name}", func(w http.ResponseWriter, r *http.Request) {
		f, ok, err := n.read(r.PathValue("name"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		if !ok {
			http.NotFound(w, r)
			return
		}
		user := r.URL.Query().Get("user")
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"feature": f.Name, "user": user, "on": f.on(user)})
	})
	http.HandleFunc("PUT /features/{name}", func(w http.ResponseWriter, r *http.Request) {
		var f feature
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 16<<10)).Decode(&f); err != nil || f.Name != r.PathValue("name") {
			http.Error(w, "a feature has its name and a percentage", http.StatusBadRequest)
			return
		}
		if err := n.set(f); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
	service.Run(http.DefaultServeMux)
}
