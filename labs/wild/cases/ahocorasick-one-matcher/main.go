// Moderation: the newest part of a discussion is searched for the words of a list with
// cloudflare/ahocorasick, and those that are found are answered.
package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/cloudflare/ahocorasick"

	"wild/service"
)

const (
	words = 1500
	part  = 48 << 10
)

func main() {
	list := make([]string, words)
	rnd := rand.New(rand.NewPCG(5, 6))
	for i := range list {
		list[i] = word(rnd, 7)
	}
	discussion := text(rnd, list)
	matcher := ahocorasick.NewStringMatcher(list)

	// A Matcher is not for several goroutines at a time.
	var mu sync.Mutex
	find := func(in []byte) []int {
		mu.Lock()
		defer mu.Unlock()
		return matcher.Match(in)
	}
	if service.After() {
		find = matcher.MatchThreadSafe
	}
	var seq atomic.Int64
	http.HandleFunc("/moderate", func(w http.ResponseWriter, r *http.Request) {
		at := int(seq.Add(1)) * 7919 % (len(discussion) - part)
		found := []string{}
		for _, i := range find(discussion[at : at+part]) {
			found = append(found, list[i])
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"from": at, "found": found})
	})
	service.Run(http.DefaultServeMux)
}

// text is a discussion of 1 MB, in which a word of the list comes up now and then.
func text(rnd *rand.Rand, list []string) []byte {
	var b strings.Builder
	for b.Len() < 1<<20 {
		if rnd.IntN(800) == 0 {
			b.WriteString(list[rnd.IntN(len(list))])
		} else {
			b.WriteString(word(rnd, 3+rnd.IntN(6)))
		}
		fmt.Fprint(&b, " ")
	}
	return []byte(b.String())
}

func word(rnd *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = 'a' + byte(rnd.IntN(20))
	}
	return string(b)
}
