// A service of echo whose audit log notes the beginning of each answer, by the body dump
// middleware. Most of what is asked for are exports of 1 MiB.
package main

import (
	"bytes"
	"fmt"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"wild/service"
)

func main() {
	dir, err := os.MkdirTemp("", "exports-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	export := filepath.Join(dir, "orders.csv")
	var text bytes.Buffer
	for i := 0; text.Len() < 1<<20; i++ {
		fmt.Fprintf(&text, "%d,2026-01-02,customer %d,%d.50\n", i, i%997, i%300)
	}
	if err := os.WriteFile(export, text.Bytes(), 0o600); err != nil {
		log.Fatal(err)
	}

	var seen atomic.Int64
	config := middleware.BodyDumpConfig{
		Handler: func(c echo.Context, request, answer []byte) {
			seen.Add(int64(len(answer[:min(len(answer), 64)]))) // what the log takes of it
		},
	}
	if service.After() {
		config.Skipper = func(c echo.Context) bool { return strings.HasPrefix(c.Path(), "/exports/") }
	}
	e := echo.New()
	e.Use(middleware.BodyDumpWithConfig(config))
	e.GET("/exports/orders", func(c echo.Context) error {
		f, err := os.Open(export)
		if err != nil {
			return err
		}
		defer f.Close()
		return c.Stream(http.StatusOK, "text/csv", f)
	})
	e.GET("/state", func(c echo.Context) error {
		return c.JSON(http.StatusOK, map[string]int64{"seen": seen.Load()})
	})
	service.Run(e)
}
