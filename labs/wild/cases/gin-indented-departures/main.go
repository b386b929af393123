// Departure boards of a bus company: what leaves from a stop in the next hours, by the timetable and by what the buses
// themselves say of their delays, which comes in by the way.
package main

import (
	"cmp"
	"errors"
	"fmt"
	"log"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"wild/service"
)

type vehicle struct {
	Number     int    `json:"number"`
	LowFloor   bool   `json:"low_floor"`
	Occupation string `json:"occupation"`
}

type call struct {
	Stop    string `json:"stop"`
	Planned string `json:"planned"`
}

type departure struct {
	Line     string  `json:"line"`
	To       string  `json:"to"`
	Planned  string  `json:"planned"`
	Expected string  `json:"expected"`
	Platform string  `json:"platform"`
	Bus      vehicle `json:"bus"`
	Calls    []call  `json:"calls"`
	minute   int
}

// network is the timetable, and the delays.
type network struct {
	boards map[int][]departure
	mu     sync.RWMutex
	late   map[string]int // minutes of a line
}

var errStop = errors.New("no such stop")

func clock(minute int) string { return fmt.Sprintf("%02d:%02d", minute/60%24, minute%60) }

func timetable() *network {
	n := &network{boards: map[int][]departure{}, late: map[string]int{}}
	ends := []string{"Harbour", "Central station", "University", "Airport", "Old mill", "Exhibition hall", "North cemetery"}
	fill := []string{"many seats", "few seats", "standing room", "full"}
	for stop := range 40 {
		var all []departure
		for i := range 420 {
			minute := 300 + (i*11+stop*3)%1100
			d := departure{
				Line: strconv.Itoa(1 + (i+stop)%14), To: ends[(i+stop)%len(ends)], Planned: clock(minute), minute: minute,
				Platform: string(rune('A' + i%5)), Bus: vehicle{3000 + i*7%900, i%3 > 0, fill[i*stop%len(fill)]},
			}
			for c := range 6 {
				d.Calls = append(d.Calls, call{fmt.Sprintf("Stop %d", (stop*17+c*5+i)%40), clock(minute + 3*c + 2)})
			}
			all = append(all, d)
		}
		slices.SortFunc(all, func(a, b departure) int { return cmp.Compare(a.minute, b.minute) })
		n.boards[stop] = all
	}
	return n
}

// report is what a bus says.
func (n *network) report(line string, minutes int) {
	n.mu.Lock()
	n.late[line] = minutes
	n.mu.Unlock()
}

// board is what leaves from a stop.
func (n *network) board(stop, from, hours int, line string) ([]departure, error) {
	all, ok := n.boards[stop]
	if !ok {
		return nil, errStop
	}
	n.mu.RLock()
	defer n.mu.RUnlock()
	first, _ := slices.BinarySearchFunc(all, from, func(d departure, minute int) int { return cmp.Compare(d.minute, minute) })
	var out []departure
	for _, d := range all[first:] {
		if d.minute >= from+60*hours {
			break
		}
		if line != "" && d.Line != line {
			continue
		}
		d.Expected = clock(d.minute + n.late[d.Line])
		out = append(out, d)
	}
	return out, nil
}

func (n *network) watch() {
	for i := 0; ; i++ {
		n.report(strconv.Itoa(1+i%14), i%7)
		time.Sleep(50 * time.Millisecond)
	}
}

func number(c *gin.Context, name string, otherwise int) int {
	if v, err := strconv.Atoi(c.Query(name)); err == nil {
		return v
	}
	return otherwise
}

func main() {
	gin.SetMode(gin.ReleaseMode)
	n := timetable()
	go n.watch()
	r := gin.New()
	r.Use(gin.Recovery())
	r.GET("/stops/:stop/departures", func(c *gin.Context) {
		stop, err := strconv.Atoi(c.Param("stop"))
		if err != nil {
			c.JSON(http.StatusBadRequest, gin.H{"error": "a stop is a number"})
			return
		}
		out, err := n.board(stop, number(c, "from", 480), min(6, number(c, "hours", 2)), c.Query("line"))
		if err != nil {
			c.JSON(http.StatusNotFound, gin.H{"error": err.Error()})
			return
		}
		c.Header("Cache-Control", "max-age=10")
		answer := gin.H{"stop": stop, "departures": out}
		if service.After() {
			c.JSON(http.StatusOK, answer)
		} else {
			c.IndentedJSON(http.StatusOK, answer)
		}
	})
	r.POST("/delays", func(c *gin.Context) {
		var in struct {
			Line    string `json:"line" binding:"required"`
			Minutes int    `json:"minutes" binding:"min=0,max=240"`
		}
		if err := c.ShouldBindJSON(&in); err != nil {
			c.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
			return
		}
		n.report(in.Line, in.Minutes)
		c.Status(http.StatusNoContent)
	})
	srv := &http.Server{Handler: r}
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
}
