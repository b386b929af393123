// Pages of a wine shop: a page of a wine is kept for two seconds, and made of what the cellar says, a process of its own that takes 7 ms.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	gincache "github.com/chenyahui/gin-cache"
	"github.com/chenyahui/gin-cache/persist"
	"github.com/gin-contrib/cache"
	"github.com/gin-contrib/cache/persistence"
	"github.com/gin-gonic/gin"

	"wild/service"
)

const fresh = 2 * time.Second

// wine is what the cellar says of one.
type wine struct {
	Name    string `json:"name"`
	Year    int    `json:"year"`
	Bottles int    `json:"bottles"`
	Cents   int    `json:"cents"`
}

// shop asks the cellar.
type shop struct {
	cellar string
	client *http.Client
}

func (s *shop) wine(c *gin.Context) (wine, error) {
	req, err := http.NewRequestWithContext(c.Request.Context(), http.MethodGet, s.cellar+"/wines/"+c.Param("wine"), nil)
	if err != nil {
		return wine{}, err
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return wine{}, err
	}
	defer resp.Body.Close()
	var out wine
	return out, json.NewDecoder(resp.Body).Decode(&out)
}

func (s *shop) page(c *gin.Context) {
	found, err := s.wine(c)
	if err != nil {
		c.String(http.StatusBadGateway, err.Error())
		return
	}
	html := fmt.Sprintf("<h1>%s, %d</h1><p>%d.%02d a bottle, %d left</p>", found.Name, found.Year, found.Cents/100, found.Cents%100, found.Bottles)
	c.Data(http.StatusOK, "text/html; charset=utf-8", []byte(html))
}

func (s *shop) routes() http.Handler {
	gin.SetMode(gin.ReleaseMode)
	e := gin.New()
	if service.After() {
		e.GET("/wines/:wine", gincache.CacheByRequestURI(persist.NewMemoryStore(fresh), fresh), s.page)
	} else {
		e.GET("/wines/:wine", cache.CachePageAtomic(persistence.NewInMemoryStore(fresh), fresh, s.page))
	}
	return e
}

func main() {
	if os.Getenv("ROLE") == "cellar" {
		cellar()
		return
	}
	s := &shop{
		cellar: "http://" + service.Beside("cellar"),
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second},
	}
	service.Run(s.routes())
}

// cellar knows wines.
func cellar() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /wines/{wine}", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(7 * time.Millisecond)
		name := r.PathValue("wine")
		json.NewEncoder(w).Encode(wine{"Wine " + name, 2010 + len(name), 40 + len(name)*7, 990 + 150*len(name)})
	})
	go func() { log.Println(http.Serve(ln, mux)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
