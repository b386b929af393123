// Orders, one by one as JSON, and those of a month as a worksheet of 2,000 rows, made
// with excelize.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/xuri/excelize/v2"

	"wild/service"
)

const (
	months = 60
	rows   = 2000
	sheet  = "Sheet1"
)

type order struct {
	ID       int     `json:"id"`
	Customer string  `json:"customer"`
	Day      string  `json:"day"`
	City     string  `json:"city"`
	Items    int     `json:"items"`
	Net      float64 `json:"net"`
	Tax      float64 `json:"tax"`
	State    string  `json:"state"`
}

func (o order) cells() []any {
	return []any{o.ID, o.Customer, o.Day, o.City, o.Items, o.Net, o.Tax, o.State}
}

// byCell sets each cell by its name.
func byCell(f *excelize.File, all []order) error {
	for i, o := range all {
		for j, v := range o.cells() {
			name, err := excelize.CoordinatesToCellName(j+1, i+1)
			if err != nil {
				return err
			}
			if err := f.SetCellValue(sheet, name, v); err != nil {
				return err
			}
		}
	}
	return nil
}

// byRow streams rows.
func byRow(f *excelize.File, all []order) error {
	out, err := f.NewStreamWriter(sheet)
	if err != nil {
		return err
	}
	for i, o := range all {
		if err := out.SetRow(fmt.Sprint("A", i+1), o.cells()); err != nil {
			return err
		}
	}
	return out.Flush()
}

func main() {
	all := make([]order, months*rows)
	day := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range all {
		all[i] = order{
			ID: 10000 + i, Customer: fmt.Sprint("customer ", i*37%701), Day: day.AddDate(0, i/rows, i%28).Format(time.DateOnly),
			City: fmt.Sprint("city ", i%97), Items: 1 + i%9, Net: float64(i*19%997) / 4, Tax: float64(i*19%997) / 20, State: []string{"paid", "sent", "new"}[i%3],
		}
	}
	fill := byCell
	if service.After() {
		fill = byRow
	}
	var seq atomic.Int64
	http.HandleFunc("/order", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(all[seq.Add(1)%int64(len(all))])
	})
	http.HandleFunc("/month.xlsx", func(w http.ResponseWriter, r *http.Request) {
		month := seq.Add(1) % months
		f := excelize.NewFile()
		defer f.Close()
		if err := fill(f, all[month*rows:][:rows]); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")
		f.Write(w)
	})
	service.Run(http.DefaultServeMux)
}
