// When rooms are taken: each room has meetings that recur, by rules as calendars exchange them, and is asked
// for what is booked in a week. Most series began this year; those of the control room began long ago.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"slices"
	"time"

	"github.com/teambition/rrule-go"

	"wild/service"
)

// series is a meeting that recurs.
type series struct {
	Title  string
	Rule   rrule.ROption
	Length time.Duration
}

// slot is a meeting of a week.
type slot struct {
	Title string    `json:"title"`
	From  time.Time `json:"from"`
	Until time.Time `json:"until"`
}

// calendar is series by room.
type calendar map[string][]series

func newCalendar() calendar {
	c := calendar{}
	for r := range 9 {
		var all []series
		for k, day := range []rrule.Weekday{rrule.MO, rrule.TU, rrule.TH} {
			all = append(all, series{fmt.Sprintf("team %d", r+k), rrule.ROption{
				Freq: rrule.WEEKLY, Byweekday: []rrule.Weekday{day}, Dtstart: time.Date(2026, 9, 1, 9+k, 0, 0, 0, time.UTC),
			}, time.Hour})
		}
		c[fmt.Sprint("room-", r)] = all
	}
	var hours []int
	for h := range 24 {
		hours = append(hours, h)
	}
	for k, title := range []string{"round", "look at the weather"} {
		c["control"] = append(c["control"], series{title, rrule.ROption{
			Freq: rrule.DAILY, Byhour: hours, Byminute: []int{10 * k}, Bysecond: []int{0},
			Dtstart: time.Date(2011+k, 3, 1, 6, 0, 0, 0, time.UTC),
		}, 15 * time.Minute})
	}
	return c
}

// between are the times of a series in a span.
func (s series) between(from, until time.Time) ([]time.Time, error) {
	o := s.Rule
	if service.After() {
		o = nearer(o, from)
	}
	rule, err := rrule.NewRRule(o)
	if err != nil {
		return nil, fmt.Errorf("rule of %s: %w", s.Title, err)
	}
	return rule.Between(from, until, true), nil
}

// nearer lets a rule begin shortly before a time, where that changes nothing: a rule that is not counted,
// and that leaves out no period.
func nearer(o rrule.ROption, from time.Time) rrule.ROption {
	if o.Count > 0 || o.Interval > 1 {
		return o
	}
	days := int(from.Sub(o.Dtstart).Hours()/24) - 14
	if days > 0 {
		o.Dtstart = o.Dtstart.AddDate(0, 0, days/7*7)
	}
	return o
}

var errUnknown = errors.New("no such room")

func (c calendar) week(room string, from time.Time) ([]slot, error) {
	all, ok := c[room]
	if !ok {
		return nil, fmt.Errorf("%s: %w", room, errUnknown)
	}
	slots := []slot{}
	for _, s := range all {
		times, err := s.between(from, from.AddDate(0, 0, 7))
		if err != nil {
			return nil, err
		}
		for _, t := range times {
			slots = append(slots, slot{s.Title, t, t.Add(s.Length)})
		}
	}
	slices.SortFunc(slots, func(a, b slot) int { return a.From.Compare(b.From) })
	return slots, nil
}

// free is how long nothing is booked by day, from eight to eighteen.
func free(slots []slot) map[string]string {
	booked := map[string]time.Duration{}
	for _, s := range slots {
		if h := s.From.Hour(); h >= 8 && h < 18 {
			booked[s.From.Format("Mon")] += s.Until.Sub(s.From)
		}
	}
	out := map[string]string{}
	for day, d := range booked {
		out[day] = (10*time.Hour - d).String()
	}
	return out
}

func main() {
	c := newCalendar()
	if _, err := c.week("control", time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)); err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("GET /rooms/{room}/week", func(w http.ResponseWriter, r *http.Request) {
		from, err := time.Parse(time.DateOnly, r.URL.Query().Get("from"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		slots, err := c.week(r.PathValue("room"), from)
		if err != nil {
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"slots": slots, "free": free(slots)})
	})
	service.Run(http.DefaultServeMux)
}
