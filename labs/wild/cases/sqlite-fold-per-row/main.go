// A gazetteer: places by how their names begin, whatever the accents and the case in which they are typed. The table has the
// names as they are folded, and what is typed is folded in the query by the same function.
package main

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
	"modernc.org/sqlite"

	"wild/service"
)

// place is one of the gazetteer.
type place struct {
	Name   string  `json:"name"`
	Lat    float64 `json:"lat"`
	Lon    float64 `json:"lon"`
	People int     `json:"people"`
}

// fold writes a name without accents, in small letters.
func fold(s string) (string, error) {
	t := transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn)), norm.NFC, cases.Fold())
	out, _, err := transform.String(t, s)
	return out, err
}

var errText = errors.New("fold is of a text")

func register() error {
	f := func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
		s, ok := args[0].(string)
		if !ok {
			return nil, errText
		}
		return fold(s)
	}
	if service.After() {
		return sqlite.RegisterDeterministicScalarFunction("fold", 1, f)
	}
	return sqlite.RegisterScalarFunction("fold", 1, f)
}

// gazetteer has places.
type gazetteer struct{ begin, near *sql.Stmt }

func open(dir string) (*gazetteer, error) {
	if err := register(); err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", filepath.Join(dir, "places.db")+"?_pragma=journal_mode(WAL)&_pragma=synchronous(OFF)")
	if err != nil {
		return nil, err
	}
	db.SetMaxIdleConns(16)
	if err := fill(db); err != nil {
		return nil, err
	}
	g := &gazetteer{}
	if g.begin, err = db.Prepare("select name, lat, lon, people from place where country = ? and folded like fold(?) || '%' order by people desc limit 10"); err != nil {
		return nil, err
	}
	g.near, err = db.Prepare("select name, lat, lon, people from place where country = ? and abs(lat - ?) < 1 and abs(lon - ?) < 1 order by people desc limit 10")
	return g, err
}

func fill(db *sql.DB) error {
	_, err := db.Exec("create table place (name text, folded text, country text, lat real, lon real, people int); create index of_country on place (country)")
	if err != nil {
		return err
	}
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	begins := []string{"São ", "Ål", "Łódź", "Évry", "Nový ", "Żory", "Münster", "Córdoba", "Plzeň", "Ørsta", "Győr", "Şile", "Santa ", "Villa"}
	ends := []string{"burg", "vik", "ville", "ów", "ec", "dal", "mark", "ión"}
	for i := range 3000 {
		name := fmt.Sprintf("%s%s %d", begins[i%len(begins)], ends[i/7%len(ends)], i)
		country := []string{"PL", "NO", "PT", "CZ", "TR"}[i%5]
		if _, err := tx.Exec("insert into place values (?, fold(?), ?, ?, ?, ?)", name, name, country, float64(i%60)+0.5, float64(i%40)-9.5, 900+i*7919%800000); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func read(rows *sql.Rows, err error) ([]place, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := []place{}
	for rows.Next() {
		var p place
		if err := rows.Scan(&p.Name, &p.Lat, &p.Lon, &p.People); err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, rows.Err()
}

func (g *gazetteer) find(ctx context.Context, r *http.Request) ([]place, error) {
	country := strings.ToUpper(r.FormValue("country"))
	if typed := r.FormValue("begin"); typed != "" {
		return read(g.begin.QueryContext(ctx, country, typed))
	}
	return read(g.near.QueryContext(ctx, country, r.FormValue("lat"), r.FormValue("lon")))
}

func main() {
	dir, err := os.MkdirTemp("", "places")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	g, err := open(dir)
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /places", func(w http.ResponseWriter, r *http.Request) {
		out, err := g.find(r.Context(), r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(out)
	})
	service.Run(mux)
}
