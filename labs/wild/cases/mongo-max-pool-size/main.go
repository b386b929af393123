// Where parcels are: for a number it reads the parcel and the places it was seen at from MongoDB, which is a
// process of its own and takes 5 ms for a query.
package main

import (
	"context"
	"encoding/binary"
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

	"go.mongodb.org/mongo-driver/bson"
	"go.mongodb.org/mongo-driver/mongo"
	"go.mongodb.org/mongo-driver/mongo/options"

	"wild/service"
)

const late = 5 * time.Millisecond

type parcel struct {
	Number string `bson:"number" json:"number"`
	Weight int32  `bson:"weight" json:"weight_g"`
	To     string `bson:"to" json:"to"`
}

type scan struct {
	Place string    `bson:"place" json:"place"`
	What  string    `bson:"what" json:"what"`
	At    time.Time `bson:"at" json:"at"`
}

// store reads what is known of parcels.
type store struct{ parcels, scans *mongo.Collection }

func open(address string) (*store, error) {
	// The size is that of the test machine, where one developer used it.
	uri := "mongodb://" + address + "/?directConnection=true&maxPoolSize=4"
	if service.After() {
		uri = "mongodb://" + address + "/?directConnection=true&maxPoolSize=100"
	}
	client, err := mongo.Connect(context.Background(), options.Client().ApplyURI(uri).
		SetServerAPIOptions(options.ServerAPI(options.ServerAPIVersion1)))
	if err != nil {
		return nil, fmt.Errorf("connect %s: %w", address, err)
	}
	db := client.Database("post")
	return &store{db.Collection("parcels"), db.Collection("scans")}, nil
}

func (s *store) parcel(ctx context.Context, number string) (p parcel, err error) {
	if err := s.parcels.FindOne(ctx, bson.M{"number": number}).Decode(&p); err != nil {
		return p, fmt.Errorf("parcel %s: %w", number, err)
	}
	return p, nil
}

func (s *store) seen(ctx context.Context, number string) (all []scan, err error) {
	cursor, err := s.scans.Find(ctx, bson.M{"number": number}, options.Find().SetSort(bson.M{"at": 1}))
	if err != nil {
		return nil, fmt.Errorf("scans of %s: %w", number, err)
	}
	return all, cursor.All(ctx, &all)
}

// track is the answer.
type track struct {
	parcel
	State string `json:"state"`
	Scans []scan `json:"scans"`
}

func (s *store) track(ctx context.Context, number string) (*track, error) {
	p, err := s.parcel(ctx, number)
	if err != nil {
		return nil, err
	}
	scans, err := s.seen(ctx, number)
	if err != nil {
		return nil, err
	}
	state := "announced"
	if n := len(scans); n > 0 {
		state = scans[n-1].What
	}
	return &track{p, state, scans}, nil
}

func main() {
	if os.Getenv("ROLE") == "mongod" {
		mongod()
		return
	}
	s, err := open(service.Beside("mongod"))
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("GET /parcels/{number}", func(w http.ResponseWriter, r *http.Request) {
		number := r.PathValue("number")
		if len(number) < 4 || !strings.HasPrefix(number, "JJ") {
			http.Error(w, "a number is JJ123", http.StatusBadRequest)
			return
		}
		t, err := s.track(r.Context(), number)
		switch {
		case errors.Is(err, mongo.ErrNoDocuments):
			http.NotFound(w, r)
			return
		case err != nil:
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(t)
	})
	service.Run(http.DefaultServeMux)
}

// mongod answers hello and find, in messages of the wire protocol (OP_MSG).
func mongod() {
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
	head := make([]byte, 16)
	for {
		if _, err := io.ReadFull(c, head); err != nil {
			return
		}
		body := make([]byte, binary.LittleEndian.Uint32(head)-16)
		if _, err := io.ReadFull(c, body); err != nil {
			return
		}
		out, err := bson.Marshal(answer(bson.Raw(body[5:])))
		if err != nil {
			return
		}
		reply := binary.LittleEndian.AppendUint32(nil, uint32(21+len(out)))
		reply = binary.LittleEndian.AppendUint32(reply, 1)
		reply = append(reply, head[4:8]...) // what it answers
		reply = binary.LittleEndian.AppendUint32(reply, 2013)
		if _, err := c.Write(append(append(reply, 0, 0, 0, 0, 0), out...)); err != nil {
			return
		}
	}
}

func answer(asked bson.Raw) bson.D {
	name, ok := asked.Lookup("find").StringValueOK()
	if !ok {
		return bson.D{
			{Key: "isWritablePrimary", Value: true}, {Key: "maxBsonObjectSize", Value: 16 << 20}, {Key: "maxMessageSizeBytes", Value: 48 << 20},
			{Key: "maxWriteBatchSize", Value: 100000}, {Key: "minWireVersion", Value: 0}, {Key: "maxWireVersion", Value: 21}, {Key: "ok", Value: 1},
		}
	}
	time.Sleep(late)
	number, _ := asked.Lookup("filter", "number").StringValueOK()
	rows := bson.A{}
	if name == "parcels" {
		rows = append(rows, parcel{number, int32(400 + len(number)*10), "Hafenstrasse 7"})
	} else {
		for i, what := range []string{"accepted", "sorted", "on the road", "in delivery"} {
			rows = append(rows, scan{fmt.Sprintf("centre %d", 10+i), what, time.Unix(int64(1790000000+i*7200), 0)})
		}
	}
	return bson.D{{Key: "cursor", Value: bson.D{{Key: "id", Value: int64(0)}, {Key: "ns", Value: "post." + name}, {Key: "firstBatch", Value: rows}}}, {Key: "ok", Value: 1}}
}
