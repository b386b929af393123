// Import of a stock list: lines of it are held against the catalogue, what is wrong with one is told apart by the
// error that it ended with, and the answer says how many there are of each kind.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"strconv"
	"strings"

	"github.com/cockroachdb/errors"

	"wild/service"
)

var (
	errFields   = errors.New("a line has four fields")
	errNumber   = errors.New("not a number")
	errNegative = errors.New("less than nothing")
	errUnknown  = errors.New("not in the catalogue")
	errShelf    = errors.New("no such shelf")
	errPrice    = errors.New("the price is another")
	errTwice    = errors.New("is there twice")
)

// kinds are what a line may be wrong with.
var kinds = []struct {
	name string
	err  error
}{
	{"cancelled", context.Canceled}, {"late", context.DeadlineExceeded}, {"cut", io.ErrUnexpectedEOF},
	{"fields", errFields}, {"number", errNumber}, {"negative", errNegative},
	{"twice", errTwice}, {"price", errPrice}, {"shelf", errShelf}, {"unknown", errUnknown},
}

// stock is the catalogue.
type stock struct{ cents map[string]int64 }

type line struct {
	sku, shelf string
	n, cents   int64
}

func parse(text string) (l line, err error) {
	f := strings.Split(text, ";")
	if len(f) != 4 {
		return l, errors.Wrapf(errFields, "%d", len(f))
	}
	l.sku, l.shelf = f[0], f[1]
	for i, to := range []*int64{&l.n, &l.cents} {
		if *to, err = strconv.ParseInt(f[2+i], 10, 64); err != nil {
			return l, errors.Mark(errors.Wrapf(err, "field %d", 3+i), errNumber)
		}
		if *to < 0 {
			return l, errors.Wrapf(errNegative, "field %d", 3+i)
		}
	}
	return l, nil
}

func (s *stock) check(l line, seen map[string]bool) error {
	if seen[l.sku] {
		return errors.Wrapf(errTwice, "%s", l.sku)
	}
	seen[l.sku] = true
	cents, ok := s.cents[l.sku]
	if !ok {
		return errors.Wrapf(errUnknown, "%s", l.sku)
	}
	if l.shelf == "" || l.shelf[0] < 'A' || l.shelf[0] > 'H' {
		return errors.Wrapf(errShelf, "%q", l.shelf)
	}
	if cents != l.cents {
		return errors.Wrapf(errPrice, "%d, not %d", cents, l.cents)
	}
	return nil
}

// kind is what an error is told apart as.
func kind(err error) string {
	for _, k := range kinds {
		if errors.Is(err, k.err) {
			return k.name
		}
	}
	return "other"
}

// found is the answer.
type found struct {
	Good  int            `json:"good"`
	Wrong map[string]int `json:"wrong,omitempty"`
	First string         `json:"first,omitempty"`
}

func (s *stock) read(ctx context.Context, body io.Reader) (found, error) {
	out := found{Wrong: map[string]int{}}
	seen := map[string]bool{}
	lines := bufio.NewScanner(body)
	for n := 1; lines.Scan(); n++ {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		l, err := parse(lines.Text())
		if err == nil {
			err = s.check(l, seen)
		}
		if err == nil {
			out.Good++
			continue
		}
		err = errors.WithHintf(errors.Wrapf(err, "line %d", n), "it is in line %d", n)
		out.Wrong[kind(err)]++
		if out.First == "" {
			out.First = err.Error()
		}
	}
	return out, lines.Err()
}

func main() {
	s := &stock{map[string]int64{}}
	for i := range 2000 {
		s.cents["s"+strconv.Itoa(i)] = int64(100 + i*7%900)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /stock", func(w http.ResponseWriter, r *http.Request) {
		out, err := s.read(r.Context(), http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(out)
	})
	mux.HandleFunc("GET /stock/{sku}", func(w http.ResponseWriter, r *http.Request) {
		cents, ok := s.cents[r.PathValue("sku")]
		if !ok {
			http.Error(w, errUnknown.Error(), http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]int64{"cents": cents})
	})
	log.SetFlags(0)
	service.Run(mux)
}
