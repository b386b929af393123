// A door code by the web: whoever gives a wrong one is answered after a quarter of a second,
// on purpose, so that codes cannot be tried one after the other. The load gives wrong ones.
package main

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"log"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"wild/service"
)

const penalty = 250 * time.Millisecond

type try struct {
	Door string `json:"door"`
	Code string `json:"code"`
}

// doors are the sums of the codes.
type doors struct {
	key   []byte
	codes map[string][]byte
}

func (d *doors) sum(code string) []byte {
	h := hmac.New(sha256.New, d.key)
	h.Write([]byte(code))
	return h.Sum(nil)
}

func (d *doors) right(t try) bool { return hmac.Equal(d.codes[t.Door], d.sum(t.Code)) }

func main() {
	d := &doors{key: make([]byte, 32), codes: map[string][]byte{}}
	if _, err := rand.Read(d.key); err != nil {
		log.Fatal(err)
	}
	for door, code := range map[string]string{"yard": "4711", "cellar": "0815", "roof": "1234"} {
		d.codes[door] = d.sum(code)
	}
	e := echo.New()
	e.POST("/open", func(c echo.Context) error {
		var t try
		if err := json.NewDecoder(c.Request().Body).Decode(&t); err != nil {
			return echo.NewHTTPError(http.StatusBadRequest, err.Error())
		}
		open := d.right(t)
		if !open {
			select {
			case <-time.After(penalty):
			case <-c.Request().Context().Done():
				return c.Request().Context().Err()
			}
		}
		return c.JSON(http.StatusOK, map[string]any{"door": t.Door, "open": open})
	})
	service.Run(e)
}
