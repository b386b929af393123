// When invoices fall due: so many working days after the day of each, by the public
// holidays of the country that the customer is in, with rickar/cal.
package main

import (
	"encoding/json"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/rickar/cal/v2"
	"github.com/rickar/cal/v2/de"
	"github.com/rickar/cal/v2/fr"
	"github.com/rickar/cal/v2/gb"
	"github.com/rickar/cal/v2/us"

	"wild/service"
)

const invoices = 80

type due struct {
	Invoice int64  `json:"invoice"`
	Day     string `json:"day"`
	Left    int    `json:"left"`
}

func main() {
	holidays := map[string][]*cal.Holiday{
		"de": de.Holidays,
		"fr": fr.Holidays,
		"gb": gb.Holidays,
		"us": us.Holidays,
	}
	var numbers atomic.Int64
	http.HandleFunc("/due", func(w http.ResponseWriter, r *http.Request) {
		list, ok := holidays[r.URL.Query().Get("country")]
		if !ok {
			http.Error(w, "no such country", http.StatusNotFound)
			return
		}
		c := cal.NewBusinessCalendar()
		c.Cacheable = service.After()
		c.AddHoliday(list...)

		first := numbers.Add(invoices)
		today := time.Date(2026, time.Month(1+first/invoices%12), 15, 0, 0, 0, 0, time.UTC)
		out := make([]due, 0, invoices)
		for n := first - invoices; n < first; n++ {
			issued := today.AddDate(0, 0, -int(n%28))
			day := c.WorkdaysFrom(issued, 10+int(n%3)*10)
			out = append(out, due{Invoice: n, Day: day.Format(time.DateOnly), Left: c.WorkdaysInRange(today, day)})
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(out)
	})
	service.Run(http.DefaultServeMux)
}
