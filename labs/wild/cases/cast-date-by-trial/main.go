// Statements of banks, as CSV with a line for each booking, are read and summed up by month and by kind: what a household
// spends on what.
package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/spf13/cast"

	"wild/service"
)

// booking is a line of a statement.
type booking struct {
	booked, valued time.Time
	payee, text    string
	cents          int64
}

var errLine = errors.New("a line is: booked, valued, payee, text, amount")

// day reads a date as the banks write it.
func day(s string) (time.Time, error) {
	if service.After() {
		return time.Parse("02 Jan 2006", s)
	}
	return cast.ToTimeE(s)
}

// amount reads -1234.56.
func amount(s string) (int64, error) {
	whole, part, ok := strings.Cut(s, ".")
	if !ok || len(part) != 2 {
		return 0, fmt.Errorf("%q is not an amount", s)
	}
	return cast.ToInt64E(strings.TrimLeft(whole, "0") + part)
}

func read(line []string) (b booking, err error) {
	if len(line) != 5 {
		return b, errLine
	}
	b.payee, b.text = line[2], line[3]
	if b.booked, err = day(line[0]); err != nil {
		return b, err
	}
	if b.valued, err = day(line[1]); err != nil {
		return b, err
	}
	b.cents, err = amount(line[4])
	return b, err
}

var kinds = []struct{ word, kind string }{
	{"rent", "home"}, {"electric", "home"}, {"market", "food"}, {"bakery", "food"}, {"rail", "travel"}, {"fuel", "travel"},
	{"insurance", "insurance"}, {"salary", "income"}, {"cinema", "leisure"}, {"books", "leisure"},
}

// kind is what a booking is for.
func (b booking) kind() string {
	said := strings.ToLower(b.payee + " " + b.text)
	for _, k := range kinds {
		if strings.Contains(said, k.word) {
			return k.kind
		}
	}
	return "other"
}

// month is the sums of one.
type month struct {
	Kinds    map[string]int64 `json:"kinds"`
	Bookings int              `json:"bookings"`
	Late     int              `json:"late"` // that were valued on another day
}

// sum reads a statement.
func sum(r io.Reader) (map[string]*month, error) {
	lines := csv.NewReader(r)
	lines.ReuseRecord = true
	out := map[string]*month{}
	for {
		line, err := lines.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		b, err := read(line)
		if err != nil {
			at, _ := lines.FieldPos(0)
			return nil, fmt.Errorf("line %d: %w", at, err)
		}
		name := b.booked.Format("2006-01")
		m := out[name]
		if m == nil {
			m = &month{Kinds: map[string]int64{}}
			out[name] = m
		}
		m.Kinds[b.kind()] += b.cents
		m.Bookings++
		if !b.booked.Equal(b.valued) {
			m.Late++
		}
	}
}

func main() {
	e := echo.New()
	e.POST("/statements", func(c echo.Context) error {
		out, err := sum(http.MaxBytesReader(c.Response(), c.Request().Body, 4<<20))
		if err != nil {
			return echo.NewHTTPError(http.StatusUnprocessableEntity, err.Error())
		}
		return c.JSON(http.StatusOK, out)
	})
	e.GET("/kinds", func(c echo.Context) error {
		var names []string
		for _, k := range kinds {
			names = append(names, k.kind)
		}
		return c.JSON(http.StatusOK, names)
	})
	srv := &http.Server{Handler: e}
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
}
