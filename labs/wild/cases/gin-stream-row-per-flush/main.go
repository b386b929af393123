// Exports of electricity meters: the readings of a meter over some days as CSV, with the use between two of them, and a
// price by the hour. Suppliers fetch them each morning, meter by meter.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"wild/service"
)

// reading is one of a meter, four in an hour.
type reading struct {
	at time.Time
	wh int64
}

// archive has the readings of all meters.
type archive struct {
	meters map[int][]reading
	tariff [24]int64 // hundredths of a cent for a kWh, by the hour
}

const perDay = 96

var errMeter = errors.New("no such meter")

func open() *archive {
	a := &archive{meters: map[int][]reading{}}
	for h := range a.tariff {
		a.tariff[h] = 1900 + int64((h*h)%11)*170
	}
	start := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	for meter := 100; meter < 160; meter++ {
		total := int64(meter) * 90_000
		for i := range 14 * perDay {
			a.meters[meter] = append(a.meters[meter], reading{start.Add(time.Duration(i) * 15 * time.Minute), total})
			total += 40 + int64((i*meter)%331)
		}
	}
	return a
}

// days are the readings of a meter in some days.
func (a *archive) days(meter, from, count int) ([]reading, error) {
	all, ok := a.meters[meter]
	if !ok {
		return nil, errMeter
	}
	first := min(max(0, from-1)*perDay, len(all))
	return all[first:min(first+count*perDay+1, len(all))], nil
}

// row writes what was used between two readings.
func (a *archive) row(b []byte, before, now reading) []byte {
	used := now.wh - before.wh
	b = before.at.AppendFormat(b, time.RFC3339)
	b = append(b, ',')
	b = strconv.AppendInt(b, before.wh, 10)
	b = append(b, ',')
	b = strconv.AppendInt(b, used, 10)
	b = append(b, ',')
	cents := used * a.tariff[before.at.Hour()] / 1000
	b = append(strconv.AppendInt(b, cents/100, 10), '.')
	if cents%100 < 10 {
		b = append(b, '0')
	}
	return append(strconv.AppendInt(b, cents%100, 10), '\n')
}

// export sends the rows as they are made.
func (a *archive) export(c *gin.Context, of []reading) {
	i, atOnce := 1, 1
	if service.After() {
		atOnce = 250
	}
	var part []byte
	c.Stream(func(w io.Writer) bool {
		part = part[:0]
		for n := 0; n < atOnce && i < len(of); n++ {
			part = a.row(part, of[i-1], of[i])
			i++
		}
		if _, err := w.Write(part); err != nil {
			return false
		}
		return i < len(of)
	})
}

func main() {
	gin.SetMode(gin.ReleaseMode)
	a := open()
	r := gin.New()
	r.Use(gin.Recovery())
	r.GET("/meters/:meter/readings.csv", func(c *gin.Context) {
		meter, err := strconv.Atoi(c.Param("meter"))
		if err != nil {
			c.String(http.StatusBadRequest, "a meter is a number")
			return
		}
		from, _ := strconv.Atoi(c.DefaultQuery("from", "1"))
		count, _ := strconv.Atoi(c.DefaultQuery("days", "1"))
		of, err := a.days(meter, from, min(max(count, 1), 7))
		if err != nil {
			c.String(http.StatusNotFound, err.Error())
			return
		}
		c.Header("Content-Type", "text/csv")
		c.Header("Content-Disposition", fmt.Sprintf("attachment; filename=meter-%d.csv", meter))
		a.export(c, of)
	})
	r.GET("/meters", func(c *gin.Context) {
		var list bytes.Buffer
		for meter := range a.meters {
			fmt.Fprintln(&list, meter)
		}
		c.Data(http.StatusOK, "text/plain", list.Bytes())
	})
	srv := &http.Server{Handler: r}
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
}
