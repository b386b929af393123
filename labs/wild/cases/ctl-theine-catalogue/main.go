// A catalogue of plants, of which there are more than fit into memory: those that are looked at often are kept, as their
// pages are written, and others are put together from their parts.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"strconv"
	"strings"

	"github.com/Yiling-J/theine-go"
	"golang.org/x/sync/singleflight"

	"wild/service"
)

// plant is one of the catalogue.
type plant struct {
	Number int      `json:"number"`
	Name   string   `json:"name"`
	Family string   `json:"family"`
	Months []int    `json:"months"`
	Places []string `json:"places"`
	Text   string   `json:"text"`
}

const plants = 20000

var errAbsent = errors.New("no such plant")

// catalogue has pages of plants.
type catalogue struct {
	kept   *theine.Cache[int, []byte]
	making singleflight.Group
}

func open() (*catalogue, error) {
	kept, err := theine.NewBuilder[int, []byte](8 << 20).Cost(func(page []byte) int64 { return int64(len(page)) }).Build()
	return &catalogue{kept: kept}, err
}

// page is that of a plant.
func (c *catalogue) page(n int) ([]byte, error) {
	if n < 0 || n >= plants {
		return nil, errAbsent
	}
	if page, ok := c.kept.Get(n); ok {
		return page, nil
	}
	page, err, _ := c.making.Do(strconv.Itoa(n), func() (any, error) {
		page, err := compose(n)
		if err == nil {
			c.kept.Set(n, page, 0)
		}
		return page, err
	})
	if err != nil {
		return nil, err
	}
	return page.([]byte), nil
}

// compose puts the page of a plant together.
func compose(n int) ([]byte, error) {
	families := []string{"Rosaceae", "Fabaceae", "Poaceae", "Asteraceae", "Lamiaceae"}
	p := plant{Number: n, Name: fmt.Sprintf("plant %d", n), Family: families[n%len(families)], Text: strings.Repeat("It likes sun, and dry soil. ", 6+n%5)}
	for m := range 1 + n%4 {
		p.Months = append(p.Months, 3+(n+m)%8)
	}
	for i := range 2 + n%5 {
		p.Places = append(p.Places, fmt.Sprintf("bed %d, row %d", (n+i)%60, i))
	}
	var page bytes.Buffer
	err := json.NewEncoder(&page).Encode(p)
	return page.Bytes(), err
}

func main() {
	c, err := open()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /plants/{number}", func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(r.PathValue("number"))
		if err != nil {
			http.Error(w, "a plant has a number", http.StatusBadRequest)
			return
		}
		page, err := c.page(n)
		switch {
		case errors.Is(err, errAbsent):
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		case err != nil:
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "max-age=300")
		w.Write(page)
	})
	service.Run(mux)
	c.kept.Close()
}
