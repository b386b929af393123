// Bookings of a coworking space, exported for accounts: a request names a room and a language, and gets the bookings of
// the room as CSV, with times as they are written there.
package main

import (
	"bufio"
	"fmt"
	"log"
	"strconv"
	"time"

	"github.com/lestrrat-go/strftime"
	"github.com/valyala/fasthttp"

	"wild/service"
)

// booking is of a room.
type booking struct {
	number     int
	by         string
	from, till time.Time
	cents      int64
}

// style is how times are written: patterns.
type style struct{ day, hour string }

// write puts the day and the hours of a booking into a row.
func (s style) write(w *bufio.Writer, b booking) error {
	for _, t := range []struct {
		pattern string
		at      time.Time
	}{{s.day, b.from}, {s.hour, b.from}, {s.hour, b.till}} {
		text, err := strftime.Format(t.pattern, t.at)
		if err != nil {
			return err
		}
		w.WriteString(text)
		w.WriteByte(';')
	}
	return nil
}

// space has rooms, and languages to write in.
type space struct {
	rooms  map[string][]booking
	styles map[string]style
}

func newSpace() *space {
	s := &space{map[string][]booking{}, map[string]style{
		"de": {"%d.%m.%Y", "%H:%M:%S Uhr"}, "en": {"%A, %d %B %Y", "%I:%M:%S %p"}, "iso": {"%Y-%m-%d (%a, %j)", "%H:%M:%S%z"},
	}}
	start := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	for r, room := range []string{"attic", "cellar", "garden", "tower"} {
		for i := range 150 + r*50 {
			from := start.Add(time.Duration(i*3) * time.Hour)
			s.rooms[room] = append(s.rooms[room], booking{i, fmt.Sprint("member ", i*7%90), from, from.Add(90 * time.Minute), int64(1500 + i%5*250)})
		}
	}
	return s
}

func (s *space) export(w *bufio.Writer, room string, st style) error {
	w.WriteString("number;member;day;from;till;price\n")
	for _, b := range s.rooms[room] {
		w.WriteString(strconv.Itoa(b.number))
		w.WriteByte(';')
		w.WriteString(b.by)
		w.WriteByte(';')
		if err := st.write(w, b); err != nil {
			return err
		}
		fmt.Fprintf(w, "%d.%02d\n", b.cents/100, b.cents%100)
	}
	return w.Flush()
}

func (s *space) serve(ctx *fasthttp.RequestCtx) {
	if string(ctx.Path()) != "/export.csv" {
		ctx.Error("not found", fasthttp.StatusNotFound)
		return
	}
	room := string(ctx.QueryArgs().Peek("room"))
	st, ok := s.styles[string(ctx.QueryArgs().Peek("language"))]
	if s.rooms[room] == nil || !ok {
		ctx.Error("a room and a language are asked for", fasthttp.StatusBadRequest)
		return
	}
	ctx.SetContentType("text/csv; charset=utf-8")
	if err := s.export(bufio.NewWriterSize(ctx, 8<<10), room, st); err != nil {
		log.Println(err)
	}
}

func main() {
	s := newSpace()
	srv := &fasthttp.Server{Handler: s.serve, Name: "space"}
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
}
