// Switches of features: a page asks which features a customer has, and that is kept in etcd, of which three members are in three
// towns. The member in this one is a process of its own; what it has to agree on with the others takes a while.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/mvccpb"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
	"google.golang.org/grpc"

	"wild/service"
)

var errNoCustomer = errors.New("no such customer")

// switches says what customers have.
type switches struct {
	kv   clientv3.KV
	read []clientv3.OpOption
}

func open(address string) (*switches, error) {
	client, err := clientv3.New(clientv3.Config{Endpoints: []string{address}, Logger: zap.NewNop()})
	if err != nil {
		return nil, err
	}
	s := &switches{kv: client}
	if service.After() {
		s.read = append(s.read, clientv3.WithSerializable())
	}
	return s, nil
}

// features of a customer: those of the plan, and what the customer has besides or does without.
type features struct {
	Customer string   `json:"customer"`
	Plan     string   `json:"plan"`
	Has      []string `json:"has"`
}

func (s *switches) of(ctx context.Context, customer string) (*features, error) {
	found, err := s.kv.Get(ctx, "/customers/"+customer+"/plan", s.read...)
	if err != nil {
		return nil, err
	}
	if len(found.Kvs) == 0 {
		return nil, errNoCustomer
	}
	out := &features{Customer: customer, Plan: string(found.Kvs[0].Value)}
	plan, err := s.kv.Get(ctx, "/plans/"+out.Plan, s.read...)
	if err != nil {
		return nil, err
	}
	for _, kv := range plan.Kvs {
		out.Has = strings.Split(string(kv.Value), ",")
	}
	own, err := s.kv.Get(ctx, "/customers/"+customer+"/switches/", append([]clientv3.OpOption{clientv3.WithPrefix()}, s.read...)...)
	if err != nil {
		return nil, err
	}
	for _, kv := range own.Kvs {
		if string(kv.Value) == "on" {
			out.Has = append(out.Has, string(kv.Key[strings.LastIndexByte(string(kv.Key), '/')+1:]))
		}
	}
	return out, nil
}

func (s *switches) serve(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 5*time.Second)
	defer cancel()
	out, err := s.of(ctx, r.PathValue("customer"))
	switch {
	case errors.Is(err, errNoCustomer):
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	case err != nil:
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(out)
}

func main() {
	if os.Getenv("ROLE") == "etcd" {
		serveEtcd()
		return
	}
	s, err := open(service.Beside("etcd"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /customers/{customer}/features", s.serve)
	service.Run(mux)
}

const (
	agree = 12 * time.Millisecond  // to hear from another town that this member is up to date
	look  = 400 * time.Microsecond // to look for a key
)

// member answers as a member of etcd does: what has to be linearizable is agreed on first.
type member struct {
	etcdserverpb.UnimplementedKVServer
	keys map[string]string
}

func (m member) Range(_ context.Context, in *etcdserverpb.RangeRequest) (*etcdserverpb.RangeResponse, error) {
	if !in.Serializable {
		time.Sleep(agree)
	}
	time.Sleep(look)
	out := &etcdserverpb.RangeResponse{Header: &etcdserverpb.ResponseHeader{Revision: 7}}
	add := func(key, value string) {
		out.Kvs = append(out.Kvs, &mvccpb.KeyValue{Key: []byte(key), Value: []byte(value), ModRevision: 5, CreateRevision: 5, Version: 1})
	}
	key := string(in.Key)
	if len(in.RangeEnd) == 0 {
		if value, ok := m.keys[key]; ok {
			add(key, value)
		}
	} else {
		for _, name := range []string{"export", "api", "themes"} {
			if value, ok := m.keys[key+name]; ok {
				add(key+name, value)
			}
		}
	}
	out.Count = int64(len(out.Kvs))
	return out, nil
}

func serveEtcd() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	m := member{keys: map[string]string{"/plans/free": "pages", "/plans/team": "pages,search,guests", "/plans/firm": "pages,search,guests,audit,sso"}}
	for n := range 500 {
		customer := fmt.Sprintf("/customers/c%d", n)
		m.keys[customer+"/plan"] = []string{"free", "team", "firm"}[n%3]
		m.keys[customer+"/switches/"+[]string{"export", "api", "themes"}[n%3]] = []string{"on", "off"}[n%2]
	}
	srv := grpc.NewServer()
	etcdserverpb.RegisterKVServer(srv, &m)
	go func() { log.Println(srv.Serve(ln)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
