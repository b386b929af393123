// Tickets of a theatre: a seat is bought, and the code for the door comes back as a picture, of which each is another.
// A door asks whether a code is good.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync/atomic"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
	qrcode "github.com/skip2/go-qrcode"

	"wild/service"
)

// ticket is what a code says.
type ticket struct {
	Play string `json:"play"`
	Row  int    `json:"row"`
	Seat int    `json:"seat"`
	N    int64  `json:"n"`
}

// theatre signs its tickets.
type theatre struct {
	key  []byte
	sold atomic.Int64
}

func (t *theatre) sign(text string) string {
	mac := hmac.New(sha256.New, t.key)
	mac.Write([]byte(text))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:12])
}

// code is the picture of a ticket.
func (t *theatre) code(in ticket) ([]byte, error) {
	text, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	q, err := qrcode.New(string(text)+"."+t.sign(string(text)), qrcode.Medium)
	if err != nil {
		return nil, fmt.Errorf("ticket %d: %w", in.N, err)
	}
	return q.PNG(240)
}

func (t *theatre) buy(c echo.Context) error {
	in := ticket{Play: c.FormValue("play")}
	var err error
	if in.Row, err = strconv.Atoi(c.FormValue("row")); err == nil {
		in.Seat, err = strconv.Atoi(c.FormValue("seat"))
	}
	if err != nil || in.Play == "" || in.Row < 1 || in.Seat < 1 {
		return echo.NewHTTPError(http.StatusBadRequest, "a seat has a play, a row and a number")
	}
	in.N = t.sold.Add(1)
	png, err := t.code(in)
	if err != nil {
		return err
	}
	return c.Blob(http.StatusOK, "image/png", png)
}

func (t *theatre) check(c echo.Context) error {
	text, err := base64.RawURLEncoding.DecodeString(c.QueryParam("ticket"))
	good := err == nil && hmac.Equal([]byte(t.sign(string(text))), []byte(c.QueryParam("sign")))
	return c.JSON(http.StatusOK, map[string]bool{"good": good})
}

func main() {
	t := &theatre{key: []byte("only-for-tests")}
	e := echo.New()
	e.HideBanner = true
	e.Use(middleware.Recover())
	e.POST("/tickets", t.buy)
	e.GET("/check", t.check)
	service.Run(e)
}
