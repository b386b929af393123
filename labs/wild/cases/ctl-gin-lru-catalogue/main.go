// A catalogue on gin with its articles in an LRU that holds all of them.
package main

import (
	"io"
	"log"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"
	lru "github.com/hashicorp/golang-lru/v2"

	"wild/service"
)

type article struct {
	ID    int      `json:"id"`
	Name  string   `json:"name"`
	Price int      `json:"price"`
	Tags  []string `json:"tags"`
}

func main() {
	gin.SetMode(gin.ReleaseMode)
	gin.DefaultWriter = io.Discard
	articles, err := lru.New[int, article](4096)
	if err != nil {
		log.Fatal(err)
	}
	for i := range 2000 {
		articles.Add(i, article{ID: i, Name: "article " + strconv.Itoa(i), Price: i * 5, Tags: []string{"new", "blue"}})
	}
	r := gin.New()
	r.Use(gin.Recovery())
	r.GET("/articles/:id", func(c *gin.Context) {
		id, err := strconv.Atoi(c.Param("id"))
		if err != nil {
			c.Status(http.StatusBadRequest)
			return
		}
		a, ok := articles.Get(id)
		if !ok {
			c.Status(http.StatusNotFound)
			return
		}
		c.JSON(http.StatusOK, a)
	})
	r.PUT("/articles/:id", func(c *gin.Context) {
		var a article
		if err := c.ShouldBindJSON(&a); err != nil {
			c.Status(http.StatusBadRequest)
			return
		}
		articles.Add(a.ID, a)
		c.Status(http.StatusNoContent)
	})
	service.Run(r)
}
