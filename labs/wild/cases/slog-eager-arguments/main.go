// Prices of carts. The log is at its usual level, which is above that of the line that
// says the cart as it was priced.
package main

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"os"
	"strconv"
	"sync/atomic"

	"wild/service"
)

type line struct {
	Item  string   `json:"item"`
	Count int      `json:"count"`
	Cents int      `json:"cents"`
	Tags  []string `json:"tags"`
}

type cart struct {
	Customer string `json:"customer"`
	Lines    []line `json:"lines"`
}

func (c *cart) total() int {
	sum := 0
	for _, l := range c.Lines {
		sum += l.Count * l.Cents
	}
	return sum
}

// dump is a cart as a person reads it.
func dump(c *cart) string {
	text, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// lazy is a cart that is only dumped where the line is written.
type lazy struct{ *cart }

func (l lazy) LogValue() slog.Value { return slog.StringValue(dump(l.cart)) }

func main() {
	logger := slog.New(slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelInfo}))
	carts := make([]*cart, 500)
	for i := range carts {
		c := &cart{Customer: "customer " + strconv.Itoa(i)}
		for j := range 30 {
			c.Lines = append(c.Lines, line{Item: "item " + strconv.Itoa(i*j%97), Count: j%4 + 1, Cents: 100 * j, Tags: []string{"indoor", "sale"}})
		}
		carts[i] = c
	}
	say := func(c *cart) { logger.Debug("priced", "cart", dump(c)) }
	if service.After() {
		say = func(c *cart) { logger.Debug("priced", "cart", lazy{c}) }
	}
	var seq atomic.Int64
	http.HandleFunc("/total", func(w http.ResponseWriter, r *http.Request) {
		c := carts[seq.Add(1)*37%int64(len(carts))]
		total := c.total()
		say(c)
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"customer": c.Customer, "cents": total})
	})
	service.Run(http.DefaultServeMux)
}
