// Pages of products. What a page shows is asked of the catalogue, which runs as a process of
// its own and takes 30 ms; fiber's cache middleware keeps each page for a second.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/middleware/cache"

	"wild/service"
)

type product struct {
	SKU   string   `json:"sku"`
	Name  string   `json:"name"`
	Cents int      `json:"cents"`
	Notes []string `json:"notes"`
}

func main() {
	if os.Getenv("ROLE") == "catalogue" {
		catalogue()
		return
	}
	url := "http://" + service.Beside("catalogue")
	client := &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}

	app := fiber.New(fiber.Config{DisableStartupMessage: true})
	app.Use(cache.New(cache.Config{Expiration: time.Second}))
	app.Get("/products/:sku", func(c *fiber.Ctx) error {
		p, err := fetch(client, url+"/"+c.Params("sku"))
		if err != nil {
			return fiber.NewError(http.StatusBadGateway, err.Error())
		}
		c.Set("Content-Type", "text/html; charset=utf-8")
		return c.SendString(page(p))
	})
	ln := service.Listen()
	go func() { log.Println(app.Listener(ln)) }()
	service.Wait()
}

func fetch(client *http.Client, url string) (product, error) {
	var p product
	resp, err := client.Get(url)
	if err != nil {
		return p, err
	}
	defer resp.Body.Close()
	return p, json.NewDecoder(resp.Body).Decode(&p)
}

func page(p product) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<h1>%s</h1><p>%d.%02d</p><ul>", p.Name, p.Cents/100, p.Cents%100)
	for _, n := range p.Notes {
		fmt.Fprintf(&b, "<li>%s</li>", n)
	}
	b.WriteString("</ul>")
	return b.String()
}

func catalogue() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(30 * time.Millisecond)
		sku := strings.TrimPrefix(r.URL.Path, "/")
		json.NewEncoder(w).Encode(product{SKU: sku, Name: "Lamp " + sku, Cents: 4900, Notes: []string{"oak", "dimmable", "two years of warranty"}})
	})
	go http.Serve(ln, nil)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
