// Events of a shop, on their way from browsers to the warehouse: what the browser cannot know is added, and what must not be
// kept is taken out. Events of other versions than the newest have fields that are not known here, and must keep them.
package main

import (
	"encoding/json"
	"errors"
	"hash/fnv"
	"log"
	"net"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/gofiber/fiber/v2"
	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"wild/service"
)

// place is where in an event the context is.
const place = "context"

// added is a field of the context.
type added struct {
	name  string
	value any
}

var errEvent = errors.New("an event is an object with a name and a visitor")

// shop is what is known of visitors and of campaigns.
type shop struct {
	regions [64]string
	stored  atomic.Int64
}

func open() *shop {
	s := &shop{}
	for i := range s.regions {
		s.regions[i] = "region-" + strconv.Itoa(i*37%100)
	}
	return s
}

func number(s string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(s))
	return h.Sum32()
}

// context is what is added to an event.
func (s *shop) context(event []byte, from, agent string) ([]added, error) {
	known := gjson.GetManyBytes(event, "name", "visitor", "page.path", "campaign")
	if !known[0].Exists() || known[1].String() == "" {
		return nil, errEvent
	}
	visitor := number(known[1].String())
	host, _, _ := net.SplitHostPort(from)
	section, _, _ := strings.Cut(strings.TrimPrefix(known[2].String(), "/"), "/")
	out := []added{
		{"received_bytes", len(event)}, {"schema", 7}, {"region", s.regions[visitor%64]}, {"network", host},
		{"section", section}, {"bot", strings.Contains(agent, "bot")}, {"agent", agent}, {"cohort", visitor % 12},
		{"returning", visitor%3 > 0}, {"campaign", known[3].String()}, {"consent", visitor%5 > 0},
	}
	for i, test := range []string{"basket", "banner", "search", "filters", "prices", "delivery", "reviews", "login", "coupon", "stock"} {
		out = append(out, added{"test_" + test, string(rune('a' + (visitor>>i)%3))}, added{"since_" + test, 1 + (visitor>>i)%40})
	}
	return out, nil
}

// enrich adds it.
func enrich(event []byte, fields []added) (out []byte, err error) {
	if !service.After() {
		out = event
		for _, f := range fields {
			if out, err = sjson.SetBytes(out, place+"."+f.name, f.value); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	whole := []byte{'{'}
	for i, f := range fields {
		if i > 0 {
			whole = append(whole, ',')
		}
		value, err := json.Marshal(f.value)
		if err != nil {
			return nil, err
		}
		whole = append(strconv.AppendQuote(whole, f.name), ':')
		whole = append(whole, value...)
	}
	return sjson.SetRawBytes(event, place, append(whole, '}'))
}

// clean takes out what must not be kept.
func clean(event []byte) ([]byte, error) {
	for _, path := range []string{"visitor_mail", "page.query.token"} {
		if !gjson.GetBytes(event, path).Exists() {
			continue
		}
		var err error
		if event, err = sjson.DeleteBytes(event, path); err != nil {
			return nil, err
		}
	}
	return event, nil
}

func (s *shop) take(c *fiber.Ctx) error {
	body := append([]byte(nil), c.Body()...)
	if !gjson.ValidBytes(body) {
		return fiber.NewError(fiber.StatusBadRequest, "not JSON")
	}
	fields, err := s.context(body, c.Context().RemoteAddr().String(), c.Get("User-Agent"))
	if err != nil {
		return fiber.NewError(fiber.StatusUnprocessableEntity, err.Error())
	}
	event, err := clean(body)
	if err != nil {
		return err
	}
	if event, err = enrich(event, fields); err != nil {
		return err
	}
	s.stored.Add(int64(len(event)))
	c.Set("Content-Type", "application/json")
	return c.Status(fiber.StatusAccepted).Send(event)
}

func main() {
	s := open()
	app := fiber.New(fiber.Config{DisableStartupMessage: true})
	app.Post("/events", s.take)
	app.Get("/stored", func(c *fiber.Ctx) error { return c.SendString(strconv.FormatInt(s.stored.Load(), 10)) })
	ln := service.Listen()
	go func() { log.Println(app.Listener(ln)) }()
	service.Wait()
}
