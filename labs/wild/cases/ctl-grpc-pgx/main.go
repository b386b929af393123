// Accounts over gRPC from Postgres: a pool of pgx with a place for each caller, prepared
// statements that pgx keeps, and the deadline of the call passed on. The database, a process of
// its own that speaks as much of the protocol as this needs, takes 6 ms for a query.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/jackc/pgx/v5/pgxpool"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/status"

	"wild/service"
)

const places = 64

type accounts struct {
	testpb.UnimplementedTestServiceServer
	pool *pgxpool.Pool
}

func (a accounts) UnaryCall(ctx context.Context, in *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
	var balance string
	err := a.pool.QueryRow(ctx, "select balance from account where name = $1", string(in.GetPayload().GetBody())).Scan(&balance)
	if err != nil {
		return nil, status.Error(codes.Unavailable, err.Error())
	}
	return &testpb.SimpleResponse{Payload: in.GetPayload(), Username: balance}, nil
}

func main() {
	if os.Getenv("ROLE") == "postgres" {
		postgres()
		return
	}
	config, err := pgxpool.ParseConfig("postgres://app@" + service.Beside("postgres") + "/accounts?sslmode=disable")
	if err != nil {
		log.Fatal(err)
	}
	config.MaxConns = places
	pool, err := pgxpool.NewWithConfig(context.Background(), config)
	if err != nil {
		log.Fatal(err)
	}
	srv := grpc.NewServer()
	testpb.RegisterTestServiceServer(srv, accounts{pool: pool})
	reflection.Register(srv)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Stop()
}

func postgres() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			go serve(c)
		}
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

func serve(c net.Conn) {
	defer c.Close()
	b := pgproto3.NewBackend(c, c)
	if _, err := b.ReceiveStartupMessage(); err != nil {
		return
	}
	b.Send(&pgproto3.AuthenticationOk{})
	b.Send(&pgproto3.ParameterStatus{Name: "standard_conforming_strings", Value: "on"})
	b.Send(&pgproto3.ParameterStatus{Name: "client_encoding", Value: "UTF8"})
	b.Send(&pgproto3.BackendKeyData{ProcessID: 1, SecretKey: []byte{1, 2, 3, 4}})
	b.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
	if b.Flush() != nil {
		return
	}
	text := pgproto3.FieldDescription{Name: []byte("balance"), DataTypeOID: 25, DataTypeSize: -1}
	for {
		m, err := b.Receive()
		if err != nil {
			return
		}
		switch m := m.(type) {
		case *pgproto3.Parse:
			b.Send(&pgproto3.ParseComplete{})
		case *pgproto3.Describe:
			if m.ObjectType == 'S' {
				b.Send(&pgproto3.ParameterDescription{ParameterOIDs: []uint32{25}})
			}
			b.Send(&pgproto3.RowDescription{Fields: []pgproto3.FieldDescription{text}})
		case *pgproto3.Bind:
			b.Send(&pgproto3.BindComplete{})
		case *pgproto3.Execute:
			time.Sleep(6 * time.Millisecond)
			b.Send(&pgproto3.DataRow{Values: [][]byte{[]byte("100.00")}})
			b.Send(&pgproto3.CommandComplete{CommandTag: []byte("SELECT 1")})
		case *pgproto3.Sync:
			b.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
			if b.Flush() != nil {
				return
			}
		default:
			return
		}
	}
}
