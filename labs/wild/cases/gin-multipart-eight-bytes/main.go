// Reports of defects with photos: a form of some fields and a few small files, which are
// hashed and kept in memory for the one who looks at them next.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"mime/multipart"
	"net/http"
	"sync"

	"github.com/gin-gonic/gin"

	"wild/service"
)

const kept = 256

type file struct {
	name, sum string
	data      []byte
}

// recent are the latest reports.
type recent struct {
	mu   sync.Mutex
	ring [kept][]file
	next int
}

func (r *recent) add(files []file) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.next++
	r.ring[r.next%kept] = files
	return r.next
}

func main() {
	gin.SetMode(gin.ReleaseMode)
	e := gin.New()
	e.Use(gin.Recovery())
	e.MaxMultipartMemory = 8 // MiB
	if service.After() {
		e.MaxMultipartMemory = 8 << 20
	}
	var reports recent
	e.POST("/reports", func(c *gin.Context) {
		form, err := c.MultipartForm()
		if err != nil {
			c.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
			return
		}
		var files []file
		for _, h := range form.File["photo"] {
			f, err := read(h)
			if err != nil {
				c.JSON(http.StatusInternalServerError, gin.H{"error": err.Error()})
				return
			}
			files = append(files, f)
		}
		sums := make([]string, len(files))
		for i, f := range files {
			sums[i] = f.sum
		}
		c.JSON(http.StatusOK, gin.H{"number": reports.add(files), "title": c.PostForm("title"), "photos": sums})
	})
	service.Run(e)
}

func read(h *multipart.FileHeader) (file, error) {
	f, err := h.Open()
	if err != nil {
		return file{}, err
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		return file{}, err
	}
	sum := sha256.Sum256(data)
	return file{name: h.Filename, sum: hex.EncodeToString(sum[:8]), data: data}, nil
}
