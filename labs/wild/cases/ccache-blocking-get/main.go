// A page cache over ccache. Getting an item hands it to the one worker that keeps
// the list of recent use; that worker also writes evicted pages to a slow archive.
package main

import (
	"fmt"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/karlseguin/ccache/v2"
	"wild/service"
)

const (
	pages = 4000
	size  = 4100
)

func main() {
	cache := ccache.New(ccache.Configure().MaxSize(size).ItemsToPrune(50).GetsPerPromote(1).OnDelete(archive))
	var keys [pages]string
	for i := range keys {
		keys[i] = "page-" + strconv.Itoa(i)
		cache.Set(keys[i], "the text of "+keys[i], time.Hour)
	}

	var seq atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("/page", func(w http.ResponseWriter, r *http.Request) {
		n := int(seq.Add(1))
		// One request in 50 adds a page.
		if n%50 == 0 {
			cache.Set("new-"+strconv.Itoa(n), "a new page", time.Hour)
		}
		length := 0
		for i := 0; i < 20; i++ {
			if item := cache.Get(keys[(n*20+i)%pages]); item != nil {
				length += len(item.Value().(string))
			}
		}
		fmt.Fprintln(w, length)
	})
	service.Run(mux)
}

// archive keeps an evicted page elsewhere.
func archive(*ccache.Item) { time.Sleep(2 * time.Millisecond) }
