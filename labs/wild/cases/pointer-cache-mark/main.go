// A shop that keeps the sessions of its visitors in memory, a million of them: a request
// looks up one and gets the list of articles at the prices of that visitor's group.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/allegro/bigcache/v3"

	"wild/service"
)

const (
	sessions = 1_000_000
	articles = 300
	shards   = 256
)

type session struct {
	User   *user   `json:"user"`
	Device *device `json:"device"`
	Basket []*item `json:"basket"`
}

type user struct {
	Name  string `json:"name"`
	Group string `json:"group"`
}

type device struct {
	Agent    string `json:"agent"`
	Language string `json:"language"`
}

type item struct {
	Article string `json:"article"`
	Count   int    `json:"count"`
}

var errNone = errors.New("no such session")

// maps is a map of keys and sessions, in shards.
type maps [shards]struct {
	sync.RWMutex
	m map[string]*session
}

func (c *maps) shard(key string) int {
	h := uint32(2166136261)
	for i := range len(key) {
		h = (h ^ uint32(key[i])) * 16777619
	}
	return int(h % shards)
}

func (c *maps) set(key string, s *session) error {
	p := &c[c.shard(key)]
	p.Lock()
	if p.m == nil {
		p.m = make(map[string]*session)
	}
	p.m[key] = s
	p.Unlock()
	return nil
}

func (c *maps) get(key string) (*session, error) {
	p := &c[c.shard(key)]
	p.RLock()
	s, ok := p.m[key]
	p.RUnlock()
	if !ok {
		return nil, errNone
	}
	return s, nil
}

// encoded keeps sessions as bytes, in blocks that have no pointers.
type encoded struct{ c *bigcache.BigCache }

func (e encoded) set(key string, s *session) error {
	b, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return e.c.Set(key, b)
}

func (e encoded) get(key string) (*session, error) {
	b, err := e.c.Get(key)
	if err != nil {
		return nil, err
	}
	s := new(session)
	return s, json.Unmarshal(b, s)
}

func main() {
	var cache interface {
		set(key string, s *session) error
		get(key string) (*session, error)
	} = new(maps)
	if service.After() {
		config := bigcache.DefaultConfig(24 * time.Hour)
		config.Shards, config.MaxEntriesInWindow, config.MaxEntrySize, config.Verbose = shards, sessions, 192, false
		c, err := bigcache.New(context.Background(), config)
		if err != nil {
			log.Fatal(err)
		}
		cache = encoded{c}
	}
	for visit := range 3 * sessions { // all have been here before, and the heap has its size
		i := visit % sessions
		n := strconv.Itoa(i)
		err := cache.set("session:"+n, &session{
			User:   &user{"visitor " + n, "group " + strconv.Itoa(i%7)},
			Device: &device{"browser/" + strconv.Itoa(i%90), "en"},
			Basket: []*item{{"article " + strconv.Itoa(i%articles), 1 + i%3}},
		})
		if err != nil {
			log.Fatal(err)
		}
	}
	names := make([]string, articles)
	for i := range names {
		names[i] = fmt.Sprintf(`{"article":"article %d","text":"made to order, delivered within %d days","cents":`, i, i%20)
	}
	http.HandleFunc("GET /articles", func(w http.ResponseWriter, r *http.Request) {
		s, err := cache.get("session:" + strconv.Itoa(rand.IntN(sessions)))
		if err != nil {
			http.Error(w, err.Error(), http.StatusForbidden)
			return
		}
		var b bytes.Buffer
		fmt.Fprintf(&b, `{"for":%q,"articles":[`, s.User.Name)
		for i, name := range names {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(name)
			b.Write(strconv.AppendInt(b.AvailableBuffer(), int64(100*i+17*len(s.User.Group)), 10))
			b.WriteByte('}')
		}
		b.WriteString("]}\n")
		w.Header().Set("Content-Type", "application/json")
		w.Write(b.Bytes())
	})
	service.Run(http.DefaultServeMux)
}
