// Buoys of a coast: a skipper asks what those along a passage measured in the last hours, which is some dozens of
// readings. They are in MongoDB, a process of its own in another town: it is reached and answers in 5 ms.
package main

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"sync"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"wild/service"
)

const late = 5 * time.Millisecond

// reading is what a buoy measured.
type reading struct {
	Buoy  int32     `bson:"buoy"`
	At    time.Time `bson:"at"`
	Wave  float64   `bson:"wave"`
	Knots float64   `bson:"knots"`
}

// coast has buoys.
type coast struct{ readings *mongo.Collection }

func open(address string) (*coast, error) {
	client, err := mongo.Connect(options.Client().ApplyURI("mongodb://" + address + "/?directConnection=true&maxPoolSize=64").
		SetServerAPIOptions(options.ServerAPI(options.ServerAPIVersion1)))
	if err != nil {
		return nil, err
	}
	return &coast{client.Database("sea").Collection("readings")}, nil
}

// passage is what a skipper is told.
type passage struct {
	From     int     `json:"from"`
	To       int     `json:"to"`
	Readings int     `json:"readings"`
	Highest  float64 `json:"highest_wave"`
	Knots    float64 `json:"mean_knots"`
}

func (c *coast) passage(ctx context.Context, from, to int) (*passage, error) {
	find := options.Find().SetProjection(bson.M{"_id": 0})
	if service.After() {
		find.SetBatchSize(1000)
	} else {
		find.SetBatchSize(5) // the page of the list on the bridge
	}
	cursor, err := c.readings.Find(ctx, bson.M{"buoy": bson.M{"$gte": from, "$lte": to}}, find)
	if err != nil {
		return nil, err
	}
	defer cursor.Close(ctx)
	out := &passage{From: from, To: to}
	for cursor.Next(ctx) {
		var r reading
		if err := cursor.Decode(&r); err != nil {
			return nil, err
		}
		out.Readings++
		out.Highest = max(out.Highest, r.Wave)
		out.Knots += r.Knots
	}
	out.Knots /= float64(max(1, out.Readings))
	return out, cursor.Err()
}

func main() {
	if os.Getenv("ROLE") == "mongod" {
		mongod()
		return
	}
	c, err := open(service.Beside("mongod"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /passages/{from}/{to}", func(w http.ResponseWriter, r *http.Request) {
		from, err := strconv.Atoi(r.PathValue("from"))
		to, errTo := strconv.Atoi(r.PathValue("to"))
		if err != nil || errTo != nil || from < 1 || to < from || to > 99 {
			http.Error(w, "buoys are 1 to 99", http.StatusBadRequest)
			return
		}
		out, err := c.passage(r.Context(), from, to)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(out)
	})
	service.Run(mux)
}

// mongod answers hello, find and getMore, in messages of the wire protocol (OP_MSG).
func mongod() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	sea := &sea{cursors: map[int64][]bson.Raw{}}
	sea.measure()
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			go sea.serve(c)
		}
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

// sea has the cursors that are open, each with what is left of it.
type sea struct {
	mu      sync.Mutex
	next    int64
	cursors map[int64][]bson.Raw
	buoys   [100][]bson.Raw
}

func (s *sea) serve(c net.Conn) {
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
		out, err := bson.Marshal(s.answer(bson.Raw(body[5:])))
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

// batch is the next part of a cursor: which it is, and how many at most.
func (s *sea) batch(id int64, all []bson.Raw, most int, kind string) bson.D {
	if most <= 0 || most > len(all) {
		most = len(all)
	}
	rest := all[most:]
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(rest) == 0 {
		delete(s.cursors, id)
		id = 0
	} else {
		s.cursors[id] = rest
	}
	return bson.D{{Key: "cursor", Value: bson.D{{Key: "id", Value: id}, {Key: "ns", Value: "sea.readings"}, {Key: kind, Value: all[:most]}}}, {Key: "ok", Value: 1}}
}

func (s *sea) answer(asked bson.Raw) bson.D {
	most, _ := asked.Lookup("batchSize").AsInt64OK()
	if id, ok := asked.Lookup("getMore").AsInt64OK(); ok {
		time.Sleep(late)
		s.mu.Lock()
		all := s.cursors[id]
		s.mu.Unlock()
		return s.batch(id, all, int(most), "nextBatch")
	}
	if _, ok := asked.Lookup("find").StringValueOK(); ok {
		time.Sleep(late)
		s.mu.Lock()
		s.next++
		id := s.next
		s.mu.Unlock()
		from, _ := asked.Lookup("filter", "buoy", "$gte").AsInt64OK()
		to, _ := asked.Lookup("filter", "buoy", "$lte").AsInt64OK()
		return s.batch(id, slices.Concat(s.buoys[from:to+1]...), int(most), "firstBatch")
	}
	return bson.D{
		{Key: "isWritablePrimary", Value: true}, {Key: "maxBsonObjectSize", Value: 16 << 20}, {Key: "maxMessageSizeBytes", Value: 48 << 20},
		{Key: "maxWriteBatchSize", Value: 100000}, {Key: "minWireVersion", Value: 0}, {Key: "maxWireVersion", Value: 21}, {Key: "ok", Value: 1},
	}
}

// measure has eight readings of each buoy.
func (s *sea) measure() {
	for b := range s.buoys {
		for n := range 8 {
			r, err := bson.Marshal(reading{int32(b), time.Unix(int64(1790000000+n*600), 0), float64((b*7+n*3)%60) / 10, float64((b*5+n)%40) / 2})
			if err != nil {
				log.Fatal(err)
			}
			s.buoys[b] = append(s.buoys[b], r)
		}
	}
}
