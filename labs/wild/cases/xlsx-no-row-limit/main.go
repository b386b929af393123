// Lists of members: clubs upload them as workbooks, and before a list is taken over, a page shows its first lines, so that the
// columns can be told apart. Most clubs are small, and a few are not.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"strconv"

	"github.com/tealeg/xlsx/v3"

	"wild/service"
)

const shown = 12

// preview is the head of a list.
type preview struct {
	Sheet   string     `json:"sheet"`
	Columns []string   `json:"columns"`
	Lines   [][]string `json:"lines"`
}

// uploads are the workbooks that wait to be taken over.
type uploads struct{ books [][]byte }

var errNoBook = errors.New("no such upload")

// book is a list as a club has it.
func book(n, members int) ([]byte, error) {
	f := xlsx.NewFile()
	sheet, err := f.AddSheet(fmt.Sprintf("Club %d", n))
	if err != nil {
		return nil, err
	}
	head := sheet.AddRow()
	for _, name := range []string{"Number", "Joined", "Born", "Fee", "Paid", "Visits", "Section", "Locker"} {
		head.AddCell().SetString(name)
	}
	sections := []string{"rowing", "chess", "judo", "choir"}
	for m := range members {
		row := sheet.AddRow()
		row.AddCell().SetInt(10_000 + m)
		row.AddCell().SetInt(1990 + (m*7+n)%35)
		row.AddCell().SetInt(1940 + (m*13+n)%70)
		row.AddCell().SetFloat(float64(20+(m*3+n)%60) + 0.5)
		row.AddCell().SetInt((m + n) % 12)
		row.AddCell().SetInt((m * 31) % 180)
		row.AddCell().SetString(sections[(m+n)%len(sections)])
		row.AddCell().SetInt(m % 300)
	}
	var out bytes.Buffer
	err = f.Write(&out)
	return out.Bytes(), err
}

func open() (*uploads, error) {
	u := new(uploads)
	for n := range 40 {
		members := 15 + n
		if n >= 36 {
			members = 1200 + 30*n // a federation
		}
		b, err := book(n, members)
		if err != nil {
			return nil, err
		}
		u.books = append(u.books, b)
	}
	return u, nil
}

// preview reads the head of an upload.
func (u *uploads) preview(n int) (*preview, error) {
	if n < 0 || n >= len(u.books) {
		return nil, errNoBook
	}
	var options []xlsx.FileOption
	if service.After() {
		options = append(options, xlsx.RowLimit(shown+1))
	}
	f, err := xlsx.OpenBinary(u.books[n], options...)
	if err != nil {
		return nil, err
	}
	if len(f.Sheets) == 0 {
		return nil, errNoBook
	}
	sheet := f.Sheets[0]
	defer sheet.Close()
	out := &preview{Sheet: sheet.Name}
	for y := range min(sheet.MaxRow, shown+1) {
		row, err := sheet.Row(y)
		if err != nil {
			return nil, err
		}
		line := make([]string, 0, sheet.MaxCol)
		err = row.ForEachCell(func(c *xlsx.Cell) error {
			text, err := c.FormattedValue()
			line = append(line, text)
			return err
		})
		if err != nil {
			return nil, err
		}
		if y == 0 {
			out.Columns = line
		} else {
			out.Lines = append(out.Lines, line)
		}
	}
	return out, nil
}

func (u *uploads) serve(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.PathValue("upload"))
	if err != nil {
		http.Error(w, "an upload has a number", http.StatusBadRequest)
		return
	}
	out, err := u.preview(n)
	switch {
	case errors.Is(err, errNoBook):
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	case err != nil:
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(out)
}

func main() {
	u, err := open()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /uploads/{upload}/preview", u.serve)
	service.Run(mux)
}
