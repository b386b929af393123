// Product pages: an API asks the catalogue, a process of its own, over Thrift for the 24
// products of a page. Clients are kept in a pool. The types are as the compiler of Thrift
// would make them of
//
//	struct Product { 1: i32 id, 2: string name, 3: i64 price, 4: i32 stock }
//	service Catalogue { list<Product> products(1: list<i32> ids) }
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync/atomic"

	"github.com/apache/thrift/lib/go/thrift"

	"wild/service"
)

const (
	places = 16
	page   = 24
)

func main() {
	if os.Getenv("ROLE") == "catalogue" {
		catalogue()
		return
	}
	address := service.Beside("catalogue")
	pool := make(chan *thrift.TStandardClient, places)
	for range places {
		var transport thrift.TTransport = thrift.NewTSocketConf(address, nil)
		if service.After() {
			transport = thrift.NewTBufferedTransport(transport, 8192)
		}
		if err := transport.Open(); err != nil {
			log.Fatal(err)
		}
		protocol := thrift.NewTBinaryProtocolConf(transport, nil)
		pool <- thrift.NewTStandardClient(protocol, protocol)
	}
	var seq atomic.Int64
	http.HandleFunc("/page", func(w http.ResponseWriter, r *http.Request) {
		n := int32(seq.Add(1) % 1000)
		args := &productsArgs{}
		for i := range int32(page) {
			args.IDs = append(args.IDs, n*page+i)
		}
		client := <-pool
		var result productsResult
		_, err := client.Call(r.Context(), "products", args, &result)
		pool <- client
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(result.Success)
	})
	service.Run(http.DefaultServeMux)
}

type product struct {
	ID    int32  `json:"id"`
	Name  string `json:"name"`
	Price int64  `json:"price"`
	Stock int32  `json:"stock"`
}

func (p *product) Write(ctx context.Context, out thrift.TProtocol) error {
	return structure(ctx, out, "Product", func() error {
		return first(
			field(ctx, out, "id", thrift.I32, 1, func() error { return out.WriteI32(ctx, p.ID) }),
			field(ctx, out, "name", thrift.STRING, 2, func() error { return out.WriteString(ctx, p.Name) }),
			field(ctx, out, "price", thrift.I64, 3, func() error { return out.WriteI64(ctx, p.Price) }),
			field(ctx, out, "stock", thrift.I32, 4, func() error { return out.WriteI32(ctx, p.Stock) }),
		)
	})
}

func (p *product) Read(ctx context.Context, in thrift.TProtocol) error {
	return fields(ctx, in, func(id int16) (err error) {
		switch id {
		case 1:
			p.ID, err = in.ReadI32(ctx)
		case 2:
			p.Name, err = in.ReadString(ctx)
		case 3:
			p.Price, err = in.ReadI64(ctx)
		case 4:
			p.Stock, err = in.ReadI32(ctx)
		}
		return err
	})
}

type productsArgs struct{ IDs []int32 }

func (a *productsArgs) Write(ctx context.Context, out thrift.TProtocol) error {
	return structure(ctx, out, "products_args", func() error {
		return field(ctx, out, "ids", thrift.LIST, 1, func() error {
			if err := out.WriteListBegin(ctx, thrift.I32, len(a.IDs)); err != nil {
				return err
			}
			for _, id := range a.IDs {
				if err := out.WriteI32(ctx, id); err != nil {
					return err
				}
			}
			return out.WriteListEnd(ctx)
		})
	})
}

func (a *productsArgs) Read(ctx context.Context, in thrift.TProtocol) error {
	return fields(ctx, in, func(int16) error {
		_, n, err := in.ReadListBegin(ctx)
		if err != nil {
			return err
		}
		for range n {
			id, err := in.ReadI32(ctx)
			if err != nil {
				return err
			}
			a.IDs = append(a.IDs, id)
		}
		return in.ReadListEnd(ctx)
	})
}

type productsResult struct{ Success []*product }

func (r *productsResult) Write(ctx context.Context, out thrift.TProtocol) error {
	return structure(ctx, out, "products_result", func() error {
		return field(ctx, out, "success", thrift.LIST, 0, func() error {
			if err := out.WriteListBegin(ctx, thrift.STRUCT, len(r.Success)); err != nil {
				return err
			}
			for _, p := range r.Success {
				if err := p.Write(ctx, out); err != nil {
					return err
				}
			}
			return out.WriteListEnd(ctx)
		})
	})
}

func (r *productsResult) Read(ctx context.Context, in thrift.TProtocol) error {
	return fields(ctx, in, func(int16) error {
		_, n, err := in.ReadListBegin(ctx)
		if err != nil {
			return err
		}
		for range n {
			p := &product{}
			if err := p.Read(ctx, in); err != nil {
				return err
			}
			r.Success = append(r.Success, p)
		}
		return in.ReadListEnd(ctx)
	})
}

func structure(ctx context.Context, out thrift.TProtocol, name string, body func() error) error {
	if err := out.WriteStructBegin(ctx, name); err != nil {
		return err
	}
	return first(body(), out.WriteFieldStop(ctx), out.WriteStructEnd(ctx))
}

func field(ctx context.Context, out thrift.TProtocol, name string, kind thrift.TType, id int16, body func() error) error {
	if err := out.WriteFieldBegin(ctx, name, kind, id); err != nil {
		return err
	}
	return first(body(), out.WriteFieldEnd(ctx))
}

func fields(ctx context.Context, in thrift.TProtocol, read func(id int16) error) error {
	if _, err := in.ReadStructBegin(ctx); err != nil {
		return err
	}
	for {
		_, kind, id, err := in.ReadFieldBegin(ctx)
		if err != nil {
			return err
		}
		if kind == thrift.STOP {
			return in.ReadStructEnd(ctx)
		}
		if err := first(read(id), in.ReadFieldEnd(ctx)); err != nil {
			return err
		}
	}
}

func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func catalogue() {
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

// serve answers as a server with buffered transports does.
func serve(c net.Conn) {
	defer c.Close()
	ctx := context.Background()
	p := thrift.NewTBinaryProtocolConf(thrift.NewTBufferedTransport(thrift.NewTSocketFromConnConf(c, nil), 8192), nil)
	for {
		name, _, seq, err := p.ReadMessageBegin(ctx)
		if err != nil {
			return
		}
		var args productsArgs
		if first(args.Read(ctx, p), p.ReadMessageEnd(ctx)) != nil {
			return
		}
		var result productsResult
		for _, id := range args.IDs {
			result.Success = append(result.Success, &product{ID: id, Name: fmt.Sprint("product ", id), Price: int64(id) * 37 % 997, Stock: id % 50})
		}
		if first(p.WriteMessageBegin(ctx, name, thrift.REPLY, seq), result.Write(ctx, p), p.WriteMessageEnd(ctx), p.Flush(ctx)) != nil {
			return
		}
	}
}
