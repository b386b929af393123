// A gateway to a storage node: a request names some pieces of a file, which the node says the place
// and the sum of. The node, a process of its own, is spoken to by DRPC and takes 2 ms for a piece.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sort"
	"strings"
	"time"

	"storj.io/drpc"
	"storj.io/drpc/drpcconn"
	"storj.io/drpc/drpcpool"
	"storj.io/drpc/drpcserver"

	"wild/service"
)

const (
	late     = 2 * time.Millisecond
	pieceRPC = "/node.Pieces/Stat"
)

// piece is what the node knows of one.
type piece struct {
	ID     string `json:"id"`
	Offset int64  `json:"offset"`
	Size   int64  `json:"size"`
	Sum    uint32 `json:"sum"`
}

// encoding is JSON in place of protobuf.
type encoding struct{}

func (encoding) Marshal(m drpc.Message) ([]byte, error)   { return json.Marshal(m) }
func (encoding) Unmarshal(b []byte, m drpc.Message) error { return json.Unmarshal(b, m) }

// node answers what is asked of pieces.
type node struct{}

func (node) HandleRPC(stream drpc.Stream, rpc string) error {
	if rpc != pieceRPC {
		return errors.New("no such procedure: " + rpc)
	}
	var id string
	if err := stream.MsgRecv(&id, encoding{}); err != nil {
		return err
	}
	time.Sleep(late)
	sum := crc32.ChecksumIEEE([]byte(id))
	return stream.MsgSend(piece{ID: id, Offset: int64(sum % 1e6), Size: 64 << 10, Sum: sum}, encoding{})
}

type gateway struct{ conn drpc.Conn }

func (g gateway) stat(ctx context.Context, id string) (piece, error) {
	var p piece
	err := g.conn.Invoke(ctx, pieceRPC, encoding{}, id, &p)
	return p, err
}

// file collects the pieces in the order in which they lie on the disk.
func (g gateway) file(ctx context.Context, ids []string) ([]piece, error) {
	var pieces []piece
	for _, id := range ids {
		p, err := g.stat(ctx, id)
		if err != nil {
			return nil, err
		}
		pieces = append(pieces, p)
	}
	sort.Slice(pieces, func(i, j int) bool { return pieces[i].Offset < pieces[j].Offset })
	return pieces, nil
}

func dial(ctx context.Context, address string) (*drpcconn.Conn, error) {
	c, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	return drpcconn.New(c), nil
}

func main() {
	if os.Getenv("ROLE") == "node" {
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			log.Fatal(err)
		}
		go drpcserver.New(node{}).Serve(context.Background(), ln)
		fmt.Println(ln.Addr())
		io.Copy(io.Discard, os.Stdin) // ends with its parent
		return
	}
	address := service.Beside("node")
	var g gateway
	if service.After() {
		pool := drpcpool.New[string, drpcpool.Conn](drpcpool.Options{Expiration: time.Minute})
		g.conn = pool.Get(context.Background(), address, func(ctx context.Context, address string) (drpcpool.Conn, error) {
			return dial(ctx, address)
		})
	} else {
		conn, err := dial(context.Background(), address)
		if err != nil {
			log.Fatal(err)
		}
		g.conn = conn
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /file", func(w http.ResponseWriter, r *http.Request) {
		pieces, err := g.file(r.Context(), strings.Split(r.FormValue("pieces"), ","))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(pieces)
	})
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetUnencryptedHTTP2(true)
	srv := &http.Server{Handler: mux, Protocols: protocols}
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Close()
}
