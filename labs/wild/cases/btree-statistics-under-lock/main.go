// Moorings of a marina: bookings are in a tree by berth and day. Boats book, the map asks what is taken, and three times a second the
// board at the gate gets the statistics of all of it.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/btree"

	"wild/service"
)

// booking is a berth on a day.
type booking struct {
	Berth int    `json:"berth"`
	Day   int    `json:"day"`
	Boat  string `json:"boat"`
	Feet  int    `json:"feet"`
}

func less(a, b booking) bool {
	if a.Berth != b.Berth {
		return a.Berth < b.Berth
	}
	return a.Day < b.Day
}

// board is what is shown at the gate.
type board struct {
	Taken int     `json:"taken"`
	Fees  float64 `json:"fees"`
	Mean  float64 `json:"mean_feet"`
}

// marina has berths.
type marina struct {
	mu       sync.RWMutex
	bookings *btree.BTreeG[booking]
	board    atomic.Pointer[board]
}

const berths, days = 1500, 365

func open() *marina {
	m := &marina{bookings: btree.NewG(32, less)}
	for n := range berths * days {
		if n%3 != 0 {
			m.bookings.ReplaceOrInsert(booking{n / days, n % days, "boat " + strconv.Itoa(n%9000), 20 + n%40})
		}
	}
	return m
}

// snapshot calls do with the bookings as they are now.
func (m *marina) snapshot(do func(*btree.BTreeG[booking])) {
	if service.After() {
		m.mu.Lock()
		now := m.bookings.Clone()
		m.mu.Unlock()
		do(now)
		return
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	do(m.bookings)
}

// count makes the statistics: a berth costs more in summer, and more than by its feet.
func (m *marina) count() {
	b := new(board)
	m.snapshot(func(t *btree.BTreeG[booking]) {
		t.Ascend(func(one booking) bool {
			b.Taken++
			b.Mean += float64(one.Feet)
			b.Fees += math.Pow(float64(one.Feet), 1.3) * (1 + 0.4*math.Sin(float64(one.Day)/365*math.Pi))
			return true
		})
	})
	b.Mean /= max(1, float64(b.Taken))
	m.board.Store(b)
}

func (m *marina) counted() {
	for range time.Tick(333 * time.Millisecond) {
		m.count()
	}
}

var errPlace = errors.New("a booking is of a boat, for a berth and a day")

// book takes a berth for a day.
func (m *marina) book(w http.ResponseWriter, r *http.Request) {
	var b booking
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<10)).Decode(&b); err != nil || b.Berth < 0 || b.Berth >= berths || b.Day < 0 || b.Day >= days || b.Boat == "" {
		http.Error(w, errPlace.Error(), http.StatusBadRequest)
		return
	}
	m.mu.Lock()
	before, had := m.bookings.ReplaceOrInsert(b)
	m.mu.Unlock()
	fmt.Fprintf(w, "%d on day %d is of %s, instead of %q (%t)\n", b.Berth, b.Day, b.Boat, before.Boat, had)
}

// taken says what is taken of a berth in the days that follow one.
func (m *marina) taken(w http.ResponseWriter, r *http.Request) {
	berth, err := strconv.Atoi(r.PathValue("berth"))
	day, errDay := strconv.Atoi(r.URL.Query().Get("day"))
	if errors.Join(err, errDay) != nil {
		http.Error(w, "which berth, from which day on?", http.StatusBadRequest)
		return
	}
	out := make([]booking, 0, 14)
	m.mu.RLock()
	m.bookings.AscendRange(booking{Berth: berth, Day: day}, booking{Berth: berth, Day: day + 14}, func(b booking) bool {
		out = append(out, b)
		return true
	})
	m.mu.RUnlock()
	json.NewEncoder(w).Encode(out)
}

func main() {
	m := open()
	m.count()
	go m.counted()
	mux := http.NewServeMux()
	mux.HandleFunc("PUT /bookings", m.book)
	mux.HandleFunc("GET /berths/{berth}", m.taken)
	mux.HandleFunc("GET /board", func(w http.ResponseWriter, _ *http.Request) { json.NewEncoder(w).Encode(m.board.Load()) })
	service.Run(mux)
}
