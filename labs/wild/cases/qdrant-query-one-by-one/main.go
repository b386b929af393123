// Pictures for editors: an article has a few headings, and next to each an editor sees the pictures of the archive that are nearest
// to it. Vectors of the pictures are in Qdrant, a process of its own in another building.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"math"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/grpc"

	"wild/service"
)

const size = 96 // numbers of a vector

var errNoArticle = errors.New("no such article")

// heading is a part of an article, and what it is about as a vector.
type heading struct {
	text   string
	vector []float32
}

// picture is one that fits.
type picture struct {
	Number uint64  `json:"number"`
	Fits   float32 `json:"fits"`
}

// desk has articles, and knows where pictures are.
type desk struct {
	archive  *qdrant.Client
	articles [][]heading
}

// vector is what a text is about, as well as this desk can tell.
func vector(text string) []float32 {
	out := make([]float32, size)
	for i, r := range text {
		out[(int(r)*31+i)%size] += float32(math.Sin(float64(r) + float64(i)))
	}
	return out
}

func open(address string) (*desk, error) {
	host, text, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	port, err := strconv.Atoi(text)
	if err != nil {
		return nil, err
	}
	archive, err := qdrant.NewClient(&qdrant.Config{Host: host, Port: port, SkipCompatibilityCheck: true})
	if err != nil {
		return nil, err
	}
	d := &desk{archive: archive}
	for n := range 200 {
		var parts []heading
		for k := range 5 + n%5 {
			text := fmt.Sprintf("part %d of what happened in town %d", k, n)
			parts = append(parts, heading{text, vector(text)})
		}
		d.articles = append(d.articles, parts)
	}
	return d, nil
}

func query(h heading) *qdrant.QueryPoints {
	return &qdrant.QueryPoints{
		CollectionName: "pictures",
		Query:          qdrant.NewQueryDense(h.vector),
		Filter:         &qdrant.Filter{Must: []*qdrant.Condition{qdrant.NewMatchBool("cleared", true)}},
		Limit:          qdrant.PtrOf(uint64(6)),
	}
}

func pictures(points []*qdrant.ScoredPoint) []picture {
	out := make([]picture, 0, len(points))
	for _, p := range points {
		out = append(out, picture{p.GetId().GetNum(), p.GetScore()})
	}
	return out
}

// fitting are the pictures for each heading of an article.
func (d *desk) fitting(ctx context.Context, parts []heading) (map[string][]picture, error) {
	out := make(map[string][]picture, len(parts))
	if service.After() {
		all := &qdrant.QueryBatchPoints{CollectionName: "pictures"}
		for _, h := range parts {
			all.QueryPoints = append(all.QueryPoints, query(h))
		}
		found, err := d.archive.QueryBatch(ctx, all)
		if err != nil {
			return nil, err
		}
		for i, f := range found {
			out[parts[i].text] = pictures(f.GetResult())
		}
		return out, nil
	}
	for _, h := range parts {
		found, err := d.archive.Query(ctx, query(h))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", h.text, err)
		}
		out[h.text] = pictures(found)
	}
	return out, nil
}

func (d *desk) serve(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.PathValue("article"))
	if err != nil || n < 0 || n >= len(d.articles) {
		http.Error(w, errNoArticle.Error(), http.StatusNotFound)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), 5*time.Second)
	defer cancel()
	out, err := d.fitting(ctx, d.articles[n])
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(out)
}

func main() {
	if os.Getenv("ROLE") == "archive" {
		serveArchive()
		return
	}
	d, err := open(service.Beside("archive"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /articles/{article}/pictures", d.serve)
	service.Run(mux)
}

const late = 4 * time.Millisecond // there, the search, and back

// archive answers with pictures that a vector leads to.
type archive struct {
	qdrant.UnimplementedPointsServer
}

func near(q *qdrant.QueryPoints) []*qdrant.ScoredPoint {
	var sum float64
	for i, v := range q.GetQuery().GetNearest().GetDense().GetData() {
		sum += float64(v) * float64(i+1)
	}
	out := make([]*qdrant.ScoredPoint, q.GetLimit())
	for i := range out {
		out[i] = &qdrant.ScoredPoint{Id: qdrant.NewIDNum(uint64(math.Abs(sum)*100) + uint64(i)), Score: 0.9 - float32(i)*0.05}
	}
	return out
}

func (archive) Query(_ context.Context, q *qdrant.QueryPoints) (*qdrant.QueryResponse, error) {
	time.Sleep(late)
	return &qdrant.QueryResponse{Result: near(q)}, nil
}

func (archive) QueryBatch(_ context.Context, all *qdrant.QueryBatchPoints) (*qdrant.QueryBatchResponse, error) {
	time.Sleep(late + time.Duration(len(all.GetQueryPoints()))*100*time.Microsecond)
	out := new(qdrant.QueryBatchResponse)
	for _, q := range all.GetQueryPoints() {
		out.Result = append(out.Result, &qdrant.BatchResult{Result: near(q)})
	}
	return out, nil
}

func serveArchive() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	srv := grpc.NewServer()
	qdrant.RegisterPointsServer(srv, archive{})
	go func() { log.Println(srv.Serve(ln)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
