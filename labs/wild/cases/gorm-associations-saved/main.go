// Orders of a bicycle workshop: an order has a customer, a bicycle, and the work and the parts of which it consists. The
// mechanics move it from one state to the next, with a note.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/glebarez/sqlite"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	"gorm.io/gorm/logger"

	"wild/service"
)

type customer struct {
	ID    uint
	Name  string
	Phone string
	Town  string
}

type bicycle struct {
	ID    uint
	Brand string
	Frame string
	Gears int
}

type position struct {
	ID      uint
	OrderID uint `gorm:"index"`
	Text    string
	Part    string
	Count   int
	Cents   int
}

type order struct {
	ID         uint
	CustomerID uint
	Customer   customer
	BicycleID  uint
	Bicycle    bicycle
	Positions  []position `gorm:"foreignKey:OrderID"`
	State      string
	Note       string
	UpdatedAt  time.Time
}

var states = []string{"taken", "waiting", "working", "ready", "fetched"}

var errState = errors.New("no such state")

// workshop has orders.
type workshop struct{ db *gorm.DB }

func open(dir string) (*workshop, error) {
	dsn := filepath.Join(dir, "workshop.db") + "?_pragma=journal_mode(WAL)&_pragma=synchronous(OFF)&_pragma=busy_timeout(5000)"
	db, err := gorm.Open(sqlite.Open(dsn), &gorm.Config{Logger: logger.Discard, SkipDefaultTransaction: true, PrepareStmt: true})
	if err != nil {
		return nil, err
	}
	pool, err := db.DB()
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(1) // of SQLite there is one writer
	if err := db.AutoMigrate(&customer{}, &bicycle{}, &order{}, &position{}); err != nil {
		return nil, err
	}
	return &workshop{db}, fill(db)
}

func fill(db *gorm.DB) error {
	var all []order
	for i := range 120 {
		o := order{
			Customer: customer{Name: fmt.Sprint("Customer ", i), Phone: fmt.Sprint("+47 900 ", 10000+i), Town: "Bergen"},
			Bicycle:  bicycle{Brand: "Diamant", Frame: fmt.Sprintf("WUD%07d", i*311), Gears: 3 + i%8}, State: states[i%5],
		}
		for p := range 12 + i%6 {
			o.Positions = append(o.Positions, position{Text: fmt.Sprint("work ", p), Part: fmt.Sprint("part-", p*i), Count: 1 + p%3, Cents: 990 + p*450})
		}
		all = append(all, o)
	}
	return db.CreateInBatches(all, 20).Error
}

func (s *workshop) find(id int) (*order, error) {
	var o order
	err := s.db.Preload("Positions").Joins("Customer").Joins("Bicycle").First(&o, id).Error
	return &o, err
}

// move brings an order to a state.
func (s *workshop) move(id int, state, note string) (*order, error) {
	known := false
	for _, st := range states {
		known = known || st == state
	}
	if !known {
		return nil, errState
	}
	o, err := s.find(id)
	if err != nil {
		return nil, err
	}
	o.State, o.Note = state, note
	db := s.db
	if service.After() {
		db = db.Omit(clause.Associations)
	}
	return o, db.Save(o).Error
}

// bill is what an order costs.
func bill(o *order) map[string]any {
	sum := 0
	for _, p := range o.Positions {
		sum += p.Count * p.Cents
	}
	return map[string]any{"order": o.ID, "customer": o.Customer.Name, "frame": o.Bicycle.Frame, "state": o.State, "note": o.Note, "positions": len(o.Positions), "cents": sum}
}

func say(w http.ResponseWriter, o *order, err error) {
	switch {
	case errors.Is(err, gorm.ErrRecordNotFound):
		http.Error(w, "no such order", http.StatusNotFound)
	case errors.Is(err, errState):
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
	case err != nil:
		http.Error(w, err.Error(), http.StatusInternalServerError)
	default:
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(bill(o))
	}
}

func main() {
	dir, err := os.MkdirTemp("", "workshop")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	s, err := open(dir)
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /orders/{order}", func(w http.ResponseWriter, r *http.Request) {
		id, _ := strconv.Atoi(r.PathValue("order"))
		o, err := s.find(id)
		say(w, o, err)
	})
	mux.HandleFunc("POST /orders/{order}/state", func(w http.ResponseWriter, r *http.Request) {
		var in struct{ State, Note string }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		id, _ := strconv.Atoi(r.PathValue("order"))
		o, err := s.move(id, in.State, in.Note)
		say(w, o, err)
	})
	service.Run(mux)
}
