// Service is what the recorded rounds of functions are of: a dozen functions for every answer, of which one, rank, does
// more when asked to.
package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

type item struct {
	ID    int      `json:"id"`
	Name  string   `json:"name"`
	Price float64  `json:"price"`
	Tags  []string `json:"tags"`
}

var (
	addr = flag.String("addr", "127.0.0.1:8080", "host:port to serve on")
	more = flag.Int("more", 0, "`percent` that rank does more")
)

func main() {
	flag.Parse()
	stock, index := fill(400)
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { answer(w, r, stock, index) })
	log.Fatal(http.ListenAndServe(*addr, mux))
}

func fill(n int) ([]item, map[string][]int) {
	var stock []item
	index := map[string][]int{}
	for i := range n {
		it := item{ID: i, Name: "article " + strconv.Itoa(i*7919%n), Price: float64(i*31%997) / 7, Tags: []string{"t" + strconv.Itoa(i%17), "u" + strconv.Itoa(i%23)}}
		stock = append(stock, it)
		for _, t := range it.Tags {
			index[t] = append(index[t], i)
		}
	}
	return stock, index
}

func answer(w http.ResponseWriter, r *http.Request, stock []item, index map[string][]int) {
	words := parse(r.URL.Path + "?t3&t5&u7&u11&t13&u17")
	found := find(words, stock, index)
	ranked := rank(found)
	priced := price(ranked)
	text := render(priced)
	body := encode(priced)
	w.Header().Set("Etag", sign(body, text))
	_, _ = w.Write(body)
}

//go:noinline
func parse(query string) []string {
	var out []string
	for range 12 {
		out = strings.FieldsFunc(strings.ToLower(query), func(r rune) bool { return r == '?' || r == '&' || r == '/' })
	}
	return out
}

//go:noinline
func find(words []string, stock []item, index map[string][]int) []item {
	var out []item
	for range 4 {
		seen := map[int]bool{}
		out = out[:0]
		for _, word := range words {
			for _, i := range index[word] {
				if !seen[i] {
					seen[i] = true
					out = append(out, stock[i])
				}
			}
		}
	}
	return out
}

//go:noinline
func rank(found []item) []item {
	out := slices.Clone(found)
	h := 0
	for round := range 100 + *more {
		for i := round & 3; i < len(out); i += 4 {
			for _, c := range out[i].Name {
				h = h*31 + int(c) + round
			}
		}
	}
	slices.SortFunc(out, func(a, b item) int { return cmp.Or(cmp.Compare(a.Price, b.Price), (h&1)*(a.ID-b.ID)) })
	return out
}

//go:noinline
func price(in []item) []item {
	out := slices.Clone(in)
	for i := range out {
		for k := range 150 {
			out[i].Price = out[i].Price*1.0001 + float64(k%3)*0.01
		}
	}
	return out
}

//go:noinline
func render(in []item) string {
	var b strings.Builder
	for _, it := range in[:min(len(in), 60)] {
		fmt.Fprintf(&b, "%s costs %.2f (%s)\n", it.Name, it.Price, strings.Join(it.Tags, ", "))
	}
	return b.String()
}

//go:noinline
func encode(in []item) []byte {
	var b bytes.Buffer
	_ = json.NewEncoder(&b).Encode(in)
	return b.Bytes()
}

//go:noinline
func sign(body []byte, text string) string {
	sum := sha256.New()
	for range 3 {
		sum.Write(body)
	}
	sum.Write([]byte(text))
	return hex.EncodeToString(sum.Sum(nil))
}
