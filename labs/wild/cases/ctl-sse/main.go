// Server-sent events on gin: each stream has one event each 100 ms and ends after ten,
// and its client connects again, as browsers do.
package main

import (
	"io"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"

	"wild/service"
)

func main() {
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	r.Use(gin.Recovery())
	var seq atomic.Int64
	r.GET("/events", func(c *gin.Context) {
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		sent := 0
		c.Stream(func(io.Writer) bool {
			select {
			case <-c.Request.Context().Done():
				return false
			case <-tick.C:
			}
			c.SSEvent("price", gin.H{"id": seq.Add(1), "value": "1." + strconv.Itoa(sent)})
			sent++
			return sent < 10
		})
	})
	service.Run(r)
}
