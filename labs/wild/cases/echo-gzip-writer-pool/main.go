// A catalogue over echo, whose small answers the gzip middleware compresses.
package main

import (
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"wild/service"
)

type product struct {
	ID    int      `json:"id"`
	Name  string   `json:"name"`
	Text  string   `json:"text"`
	Price float64  `json:"price"`
	Tags  []string `json:"tags"`
}

func main() {
	e := echo.New()
	e.Use(middleware.Gzip())
	var seq atomic.Int64
	text := strings.Repeat("made of oak, by hand, in small numbers; ", 20)
	e.GET("/product", func(c echo.Context) error {
		id := int(seq.Add(1) % 1000)
		return c.JSON(http.StatusOK, product{
			ID: id, Name: "table " + strconv.Itoa(id), Text: text, Price: float64(id) * 1.5, Tags: []string{"oak", "table"},
		})
	})
	service.Run(e)
}
