package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"

	"github.com/brianvoe/gofakeit/v6"
	"github.com/gofiber/fiber/v3"
)

// products is the number of finished products; productBytes is about how long
// each is.
const (
	products     = 500
	productBytes = 4500
)

// newApp returns the service: GET /read sends one product.
func newApp(pick string) (*fiber.App, error) {
	next, err := newPicker(pick, products)
	if err != nil {
		return nil, err
	}
	bodies, err := makeProducts(products)
	if err != nil {
		return nil, err
	}
	app := fiber.New(fiber.Config{AppName: "catalog"})
	app.Get("/read", func(c fiber.Ctx) error {
		c.Set(fiber.HeaderContentType, fiber.MIMEApplicationJSON)
		return c.Send(bodies[next()])
	})
	return app, nil
}

// newPicker returns a function that gives an index below n; it may be called by
// any number of goroutines at once.
func newPicker(name string, n int) (func() int, error) {
	switch name {
	case "faker":
		return func() int { return gofakeit.Number(0, n-1) }, nil
	case "index":
		return indexPool(n), nil
	case "rand":
		return func() int { return rand.IntN(n) }, nil
	default:
		return nil, fmt.Errorf("-pick %q: give faker, index or rand", name)
	}
}

// indexPool draws many indexes beforehand and walks them with a counter, so
// that picking one needs no lock. The pool is longer than n by a factor that
// keeps each product's share of the requests within a few percent of even.
func indexPool(n int) func() int {
	pool := make([]int, 64*n)
	for i := range pool {
		pool[i] = i % n
	}
	rand.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
	var at atomic.Uint64
	return func() int { return pool[at.Add(1)%uint64(len(pool))] }
}

type product struct {
	ID          int      `json:"id"`
	Name        string   `json:"name"`
	Maker       string   `json:"maker"`
	Price       float64  `json:"price"`
	Currency    string   `json:"currency"`
	Stock       int      `json:"stock"`
	Tags        []string `json:"tags"`
	Description string   `json:"description"`
}

// makeProducts returns n encoded products, the same ones in every process.
func makeProducts(n int) ([][]byte, error) {
	f := gofakeit.New(1)
	out := make([][]byte, n)
	for i := range out {
		p := product{
			ID: i, Name: f.ProductName(), Maker: f.Company(), Currency: "EUR",
			Price: f.Price(1, 500), Stock: f.Number(0, 1000),
			Tags: []string{f.ProductMaterial(), f.ProductCategory(), f.Color()},
		}
		var text strings.Builder
		for text.Len() < productBytes-300 {
			text.WriteString(f.Sentence(12))
			text.WriteByte(' ')
		}
		p.Description = text.String()
		body, err := json.Marshal(p)
		if err != nil {
			return nil, fmt.Errorf("encode product %d: %w", i, err)
		}
		out[i] = body
	}
	return out, nil
}
