// Members of a club: the office lists them page by page and looks at one. What is stored is not what is shown: rows are
// copied into what the API promises.
package main

import (
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/jinzhu/copier"

	"wild/service"
)

const pageSize = 50

// The rows, as they are stored.
type (
	addressRow struct {
		ID      int64
		Street  string
		Zip     string
		City    string
		Country string
		Checked time.Time
	}
	contactRow struct {
		Kind, Value string
		Verified    bool
	}
	memberRow struct {
		ID         int64
		FirstName  string
		LastName   string
		Email      string
		Hash       []byte
		Joined     time.Time
		FeeCents   int64
		Active     bool
		Address    addressRow
		Contacts   []contactRow
		Sections   []string
		ModifiedBy string
	}
)

func (m *memberRow) FullName() string { return m.FirstName + " " + m.LastName }

// What is shown of them.
type (
	address struct {
		Street  string `json:"street"`
		Zip     string `json:"zip"`
		City    string `json:"city"`
		Country string `json:"country"`
	}
	contact struct {
		Kind  string `json:"kind"`
		Value string `json:"value"`
	}
	member struct {
		ID       int64     `json:"id"`
		FullName string    `json:"full_name"`
		Email    string    `json:"email"`
		Joined   time.Time `json:"joined"`
		FeeCents int64     `json:"fee_cents"`
		Active   bool      `json:"active"`
		Address  address   `json:"address"`
		Contacts []contact `json:"contacts"`
		Sections []string  `json:"sections"`
	}
)

// copied lets the fields find each other by their names.
func copied(rows []memberRow) ([]member, error) {
	out := make([]member, len(rows))
	for i := range rows {
		if err := copier.Copy(&out[i], &rows[i]); err != nil {
			return nil, fmt.Errorf("member %d: %w", rows[i].ID, err)
		}
	}
	return out, nil
}

// assigned names them.
func assigned(rows []memberRow) ([]member, error) {
	out := make([]member, len(rows))
	for i := range rows {
		r := &rows[i]
		m := member{
			ID: r.ID, FullName: r.FullName(), Email: r.Email, Joined: r.Joined, FeeCents: r.FeeCents, Active: r.Active,
			Address:  address{r.Address.Street, r.Address.Zip, r.Address.City, r.Address.Country},
			Contacts: make([]contact, len(r.Contacts)), Sections: append([]string(nil), r.Sections...),
		}
		for j, c := range r.Contacts {
			m.Contacts[j] = contact{c.Kind, c.Value}
		}
		out[i] = m
	}
	return out, nil
}

// club has the rows, by their number.
type club struct {
	mu   sync.RWMutex
	rows []memberRow
	show func([]memberRow) ([]member, error)
}

func newClub() *club {
	c := &club{show: copied}
	if service.After() {
		c.show = assigned
	}
	for i := range int64(2000) {
		c.rows = append(c.rows, memberRow{
			ID: i, FirstName: fmt.Sprint("First", i), LastName: fmt.Sprint("Last", i%300), Email: fmt.Sprintf("m%d@club.example", i),
			Joined: time.Date(2010, 1, int(i), 0, 0, 0, 0, time.UTC), FeeCents: 2500 + i%4*500, Active: i%9 > 0,
			Address:  addressRow{i, fmt.Sprint("Street ", i%80), fmt.Sprint(10000 + i), "Town", "de", time.Now()},
			Contacts: []contactRow{{"phone", fmt.Sprint("+49 30 ", i), true}, {"mobile", fmt.Sprint("+49 170 ", i), false}},
			Sections: []string{"chess", "rowing", "choir"}[:1+i%3], Hash: make([]byte, 32), ModifiedBy: "import",
		})
	}
	return c
}

// part copies rows out, so that they can be shown without the lock.
func (c *club) part(from, to int) []memberRow {
	c.mu.RLock()
	defer c.mu.RUnlock()
	from = min(max(from, 0), len(c.rows))
	return append([]memberRow(nil), c.rows[from:min(to, len(c.rows))]...)
}

func main() {
	c := newClub()
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	r.Use(gin.Recovery())
	answer := func(ctx *gin.Context, rows []memberRow, one bool) {
		out, err := c.show(rows)
		switch {
		case err != nil:
			ctx.AbortWithError(http.StatusInternalServerError, err)
		case len(out) == 0:
			ctx.AbortWithStatus(http.StatusNotFound)
		case one:
			ctx.JSON(http.StatusOK, out[0])
		default:
			ctx.JSON(http.StatusOK, gin.H{"members": out})
		}
	}
	r.GET("/members", func(ctx *gin.Context) {
		page, err := strconv.Atoi(ctx.DefaultQuery("page", "0"))
		if err != nil || page < 0 {
			ctx.AbortWithStatus(http.StatusBadRequest)
			return
		}
		answer(ctx, c.part(page*pageSize, (page+1)*pageSize), false)
	})
	r.GET("/members/:id", func(ctx *gin.Context) {
		id, err := strconv.Atoi(ctx.Param("id"))
		if err != nil {
			ctx.AbortWithStatus(http.StatusBadRequest)
			return
		}
		answer(ctx, c.part(id, id+1), true)
	})
	service.Run(r)
}
