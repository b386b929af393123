// A land register over gRPC: for a parcel it tells the area, how far its border is, and whether a point
// lies in it. Parcels were checked when they were entered, and lie in memory as WKB, as the database
// has them.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"math"

	"github.com/peterstace/simplefeatures/geom"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/status"

	"wild/service"
)

// question is what is asked: a parcel, and a point in metres.
type question struct {
	Parcel string  `json:"parcel"`
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
}

type answer struct {
	Parcel string  `json:"parcel"`
	Area   float64 `json:"area"`
	Border float64 `json:"border"`
	Inside bool    `json:"inside"`
	Wide   float64 `json:"wide"`
	High   float64 `json:"high"`
}

type register struct {
	testpb.UnimplementedTestServiceServer
	parcels map[string][]byte
}

func (r *register) load(id string) (geom.Geometry, error) {
	wkb, ok := r.parcels[id]
	if !ok {
		return geom.Geometry{}, status.Errorf(codes.NotFound, "parcel %q", id)
	}
	if service.After() {
		return geom.UnmarshalWKB(wkb, geom.NoValidate{})
	}
	return geom.UnmarshalWKB(wkb)
}

func (r *register) tell(q question) (*answer, error) {
	g, err := r.load(q.Parcel)
	if err != nil {
		return nil, err
	}
	envelope := g.Envelope()
	at := geom.XY{X: q.X, Y: q.Y}
	a := &answer{Parcel: q.Parcel, Area: g.Area(), Border: g.Length() + border(g), Wide: envelope.Width(), High: envelope.Height()}
	if envelope.Contains(at) {
		a.Inside = inside(g, at)
	}
	return a, nil
}

// ring calls f with the edges of the outer ring.
func ring(g geom.Geometry, f func(a, b geom.XY)) {
	p, ok := g.AsPolygon()
	if !ok {
		return
	}
	s := p.ExteriorRing().Coordinates()
	for i := 1; i < s.Length(); i++ {
		f(s.GetXY(i-1), s.GetXY(i))
	}
}

func border(g geom.Geometry) (sum float64) {
	ring(g, func(a, b geom.XY) { sum += math.Hypot(b.X-a.X, b.Y-a.Y) })
	return sum
}

// inside counts the edges right of a point.
func inside(g geom.Geometry, at geom.XY) (in bool) {
	ring(g, func(a, b geom.XY) {
		if (a.Y > at.Y) != (b.Y > at.Y) && at.X < (b.X-a.X)*(at.Y-a.Y)/(b.Y-a.Y)+a.X {
			in = !in
		}
	})
	return in
}

func (r *register) UnaryCall(_ context.Context, in *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
	q := question{Parcel: "p-1"}
	if body := in.GetPayload().GetBody(); len(body) > 0 {
		if err := json.Unmarshal(body, &q); err != nil {
			return nil, status.Error(codes.InvalidArgument, err.Error())
		}
	}
	a, err := r.tell(q)
	if err != nil {
		return nil, err
	}
	out, err := json.Marshal(a)
	if err != nil {
		return nil, err
	}
	return &testpb.SimpleResponse{Payload: &testpb.Payload{Body: out}}, nil
}

func main() {
	r := &register{parcels: map[string][]byte{}}
	for i := range 20 {
		p, err := parcel(i, 240)
		if err != nil {
			log.Fatal(err)
		}
		r.parcels[fmt.Sprintf("p-%d", i)] = p.AsBinary()
	}
	srv := grpc.NewServer()
	testpb.RegisterTestServiceServer(srv, r)
	reflection.Register(srv)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Stop()
}

// parcel is a plot with a crooked border of n stones.
func parcel(seed, n int) (geom.Geometry, error) {
	var xys []float64
	for i := range n {
		angle := 2 * math.Pi * float64(i) / float64(n)
		radius := 60 + 9*math.Sin(angle*float64(3+seed%5)) + 2*math.Cos(angle*31+float64(seed))
		xys = append(xys, 1000*float64(seed)+radius*math.Cos(angle), radius*math.Sin(angle))
	}
	xys = append(xys, xys[0], xys[1])
	border := geom.NewLineString(geom.NewSequence(xys, geom.DimXY))
	p := geom.NewPolygon([]geom.LineString{border})
	return p.AsGeometry(), p.Validate()
}
