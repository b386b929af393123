// Berths of a river port: what lies at each quay. The berths are items of DynamoDB, kept here as its stream brings them, and
// a barge master is told of the free ones of a quay.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"strconv"
	"sync"

	"github.com/aws/aws-sdk-go/service/dynamodb"
	"github.com/aws/aws-sdk-go/service/dynamodb/dynamodbattribute"

	"wild/service"
)

// berth is where a barge lies.
type berth struct {
	ID      string   `dynamodbav:"id"`
	Quay    int      `dynamodbav:"quay"`
	Metres  float64  `dynamodbav:"metres"`
	Depth   float64  `dynamodbav:"depth"`
	Power   bool     `dynamodbav:"power"`
	Water   bool     `dynamodbav:"water"`
	Barge   *barge   `dynamodbav:"barge,omitempty"`
	Fees    fees     `dynamodbav:"fees"`
	Keeper  contact  `dynamodbav:"keeper"`
	Remarks []string `dynamodbav:"remarks,omitempty"`
	Side    string   `dynamodbav:"side"`
	Crane   int      `dynamodbav:"crane"`
}

type barge struct {
	Name   string  `dynamodbav:"name"`
	Tonnes int     `dynamodbav:"tonnes"`
	Flag   string  `dynamodbav:"flag"`
	Length float64 `dynamodbav:"length"`
	Master contact `dynamodbav:"master"`
}

type fees struct {
	Day    int `dynamodbav:"day"`
	Night  int `dynamodbav:"night"`
	Winter int `dynamodbav:"winter"`
}

type contact struct {
	Name  string `dynamodbav:"name"`
	Phone string `dynamodbav:"phone"`
	Radio int    `dynamodbav:"radio"`
}

type item = map[string]*dynamodb.AttributeValue

const quays, each = 30, 12

// port has the items of each quay.
type port struct {
	mu    sync.RWMutex
	quays [quays][]item
}

func open() (*port, error) {
	p := &port{}
	for q := range p.quays {
		for n := range each {
			b := berth{ID: fmt.Sprintf("%d-%d", q, n), Quay: q, Metres: float64(60 + n*4), Depth: 2.8, Power: n%2 == 0, Water: n%3 == 0, Fees: fees{4200 + n*10, 1900, 900},
				Keeper: contact{fmt.Sprint("keeper ", q), "555 0100", 10 + q%8}, Side: []string{"port", "starboard"}[n%2], Crane: n % 4}
			if n%3 == 1 {
				b.Barge = &barge{fmt.Sprint("Barge ", q*each+n), 900 + n*50, "NL", 38.5, contact{"master", "555 0199", 77}}
			}
			i, err := dynamodbattribute.MarshalMap(b)
			if err != nil {
				return nil, err
			}
			p.quays[q] = append(p.quays[q], i)
		}
	}
	return p, nil
}

// free is a berth where a barge may lie.
type free struct {
	ID     string  `json:"id"`
	Metres float64 `json:"metres"`
	Fee    int     `json:"fee"`
	Call   string  `json:"call"`
}

// find looks for the free berths of a quay that are long enough.
func (p *port) find(quay int, metres float64) ([]free, error) {
	p.mu.RLock()
	items := p.quays[quay]
	p.mu.RUnlock()
	out := []free{}
	for _, i := range items {
		var b berth
		if err := dynamodbattribute.UnmarshalMap(i, &b); err != nil {
			return nil, err
		}
		if b.Barge == nil && b.Metres >= metres {
			out = append(out, free{b.ID, b.Metres, b.Fees.Day, b.Keeper.Phone})
		}
	}
	return out, nil
}

// moor has a barge lie at a berth, as the stream tells it.
func (p *port) moor(quay, n int, to barge) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var b berth
	if err := dynamodbattribute.UnmarshalMap(p.quays[quay][n], &b); err != nil {
		return err
	}
	b.Barge = &to
	i, err := dynamodbattribute.MarshalMap(b)
	if err != nil {
		return err
	}
	p.quays[quay][n] = i
	return nil
}

var errQuay = errors.New("quays are 0 to 29, and have twelve berths")

func main() {
	p, err := open()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /quays/{quay}/free", func(w http.ResponseWriter, r *http.Request) {
		quay, err := strconv.Atoi(r.PathValue("quay"))
		metres, errMetres := strconv.ParseFloat(r.FormValue("metres"), 64)
		if err != nil || errMetres != nil || quay < 0 || quay >= quays {
			http.Error(w, errQuay.Error(), http.StatusBadRequest)
			return
		}
		found, err := p.find(quay, metres)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(found)
	})
	mux.HandleFunc("PUT /quays/{quay}/berths/{berth}", func(w http.ResponseWriter, r *http.Request) {
		quay, err := strconv.Atoi(r.PathValue("quay"))
		n, errBerth := strconv.Atoi(r.PathValue("berth"))
		if err != nil || errBerth != nil || quay < 0 || quay >= quays || n < 0 || n >= each {
			http.Error(w, errQuay.Error(), http.StatusBadRequest)
			return
		}
		if err := p.moor(quay, n, barge{Name: r.FormValue("barge"), Flag: "BE"}); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
	service.Run(mux)
}
