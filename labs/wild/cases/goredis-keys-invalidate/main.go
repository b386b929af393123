// Pages of products, which are kept in Redis in several languages: a request reads one, or makes it;
// another says that a product has changed, whose pages are then dropped. Redis, a process of its
// own, holds the pages of all products.
package main

import (
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"wild/service"
)

const products = 20_000

var languages = []string{"de", "en", "fr"}

type shop struct{ db *redis.Client }

func pageKey(id int, language string) string { return fmt.Sprintf("page:%d:%s", id, language) }
func indexKey(id int) string                 { return fmt.Sprintf("pages-of:%d", id) }

// page returns the page of a product, and makes it where it is not kept.
func (s shop) page(ctx context.Context, id int, language string) (string, error) {
	key := pageKey(id, language)
	text, err := s.db.Get(ctx, key).Result()
	if !errors.Is(err, redis.Nil) {
		return text, err
	}
	text = draw(id, language)
	_, err = s.db.Pipelined(ctx, func(p redis.Pipeliner) error {
		p.Set(ctx, key, text, time.Hour)
		if service.After() {
			p.SAdd(ctx, indexKey(id), key)
		}
		return nil
	})
	return text, err
}

// changed drops the pages of a product.
func (s shop) changed(ctx context.Context, id int) (int64, error) {
	var keys []string
	var err error
	if service.After() {
		keys, err = s.db.SMembers(ctx, indexKey(id)).Result()
		keys = append(keys, indexKey(id))
	} else {
		keys, err = s.db.Keys(ctx, fmt.Sprintf("page:%d:*", id)).Result()
	}
	if err != nil || len(keys) == 0 {
		return 0, err
	}
	return s.db.Del(ctx, keys...).Result()
}

func draw(id int, language string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<html lang=%q><h1>%s</h1><ul>", language, html.EscapeString(fmt.Sprintf("Product <%d>", id)))
	for i := range 12 {
		fmt.Fprintf(&b, "<li>%s %d", html.EscapeString("size & weight"), id*i%97)
	}
	return b.String() + "</ul></html>"
}

func main() {
	if os.Getenv("ROLE") == "redis" {
		keep()
		return
	}
	s := shop{redis.NewClient(&redis.Options{Addr: service.Beside("redis"), PoolSize: 32})}
	number := func(w http.ResponseWriter, r *http.Request) (int, bool) {
		id, err := strconv.Atoi(r.FormValue("id"))
		if err != nil || id < 0 || id >= products {
			http.Error(w, "no such product", http.StatusNotFound)
			return 0, false
		}
		return id, true
	}
	http.HandleFunc("/product", func(w http.ResponseWriter, r *http.Request) {
		id, ok := number(w, r)
		if !ok {
			return
		}
		text, err := s.page(r.Context(), id, languages[id%len(languages)])
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		io.WriteString(w, text)
	})
	http.HandleFunc("/changed", func(w http.ResponseWriter, r *http.Request) {
		id, ok := number(w, r)
		if !ok {
			return
		}
		n, err := s.changed(r.Context(), id)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		fmt.Fprintln(w, n)
	})
	service.Run(http.DefaultServeMux)
}

// keep is Redis, with all pages in it.
func keep() {
	db := miniredis.NewMiniRedis()
	if err := db.Start(); err != nil {
		log.Fatal(err)
	}
	for id := range products {
		for _, language := range languages {
			db.Set(pageKey(id, language), draw(id, language))
			if service.After() {
				db.SAdd(indexKey(id), pageKey(id, language))
			}
		}
	}
	fmt.Println(db.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
