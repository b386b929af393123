// An API of many tenants behind fiber's rate limiter, whose counters are in a store that
// all replicas share: a process of its own, 1 ms away.
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/middleware/limiter"
	"github.com/valyala/fasthttp"

	"wild/service"
)

const perMinute = 10_000_000 // more than any client sends here

func main() {
	if os.Getenv("ROLE") == "store" {
		serveStore()
		return
	}
	s := &store{client: &fasthttp.HostClient{Addr: service.Beside("store"), MaxConns: 256}}
	tenant := func(c *fiber.Ctx) string { return c.Params("tenant") }
	limit := limiter.New(limiter.Config{Max: perMinute, Expiration: time.Minute, KeyGenerator: tenant, Storage: s})
	if service.After() {
		limit = func(c *fiber.Ctx) error { // the store counts, and no lock is needed
			n, err := s.increment(tenant(c))
			if err != nil {
				return err
			}
			if n > perMinute {
				return c.SendStatus(fiber.StatusTooManyRequests)
			}
			return c.Next()
		}
	}
	app := fiber.New(fiber.Config{DisableStartupMessage: true})
	app.Get("/v1/:tenant/quota", limit, func(c *fiber.Ctx) error {
		return c.JSON(fiber.Map{"tenant": c.Params("tenant"), "plan": "basic", "seats": 25})
	})
	ln := service.Listen()
	go func() { log.Println(app.Listener(ln)) }()
	service.Wait()
}

// store is a fiber.Storage over HTTP.
type store struct{ client *fasthttp.HostClient }

func (s *store) do(method, path string, body []byte) ([]byte, error) {
	req, resp := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(req)
	defer fasthttp.ReleaseResponse(resp)
	req.Header.SetMethod(method)
	req.SetRequestURI("http://store" + path)
	req.SetBody(body)
	if err := s.client.Do(req, resp); err != nil {
		return nil, err
	}
	return append([]byte(nil), resp.Body()...), nil
}

func (s *store) Get(key string) ([]byte, error) { return s.do("GET", "/keys/"+key, nil) }

func (s *store) Set(key string, value []byte, _ time.Duration) error {
	_, err := s.do("PUT", "/keys/"+key, value)
	return err
}

func (s *store) increment(key string) (int, error) {
	b, err := s.do("POST", "/increment/"+key, nil)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(string(b))
}

func (s *store) Delete(string) error { return nil }
func (s *store) Reset() error        { return nil }
func (s *store) Close() error        { return nil }

func serveStore() {
	var mu sync.Mutex
	values, counts := map[string][]byte{}, map[string]int{}
	app := fiber.New(fiber.Config{DisableStartupMessage: true, Immutable: true})
	app.Use(func(c *fiber.Ctx) error {
		time.Sleep(time.Millisecond)
		return c.Next()
	})
	app.Get("/keys/:key", func(c *fiber.Ctx) error {
		mu.Lock()
		defer mu.Unlock()
		return c.Send(values[c.Params("key")])
	})
	app.Put("/keys/:key", func(c *fiber.Ctx) error {
		mu.Lock()
		defer mu.Unlock()
		values[c.Params("key")] = append([]byte(nil), c.Body()...)
		return nil
	})
	app.Post("/increment/:key", func(c *fiber.Ctx) error {
		mu.Lock()
		defer mu.Unlock()
		counts[c.Params("key")]++
		return c.SendString(strconv.Itoa(counts[c.Params("key")]))
	})
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go app.Listener(ln)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
