// Tariffs of a telephone company: the longest prefix of a number decides what a minute costs.
// The prefixes are in a radix tree that is replaced as a whole when prices change; calls are
// logged to a file through a buffer that is written from time to time.
package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/armon/go-radix"
	"github.com/rs/zerolog"
	"github.com/valyala/fasthttp"

	"wild/service"
)

type file struct {
	mu sync.Mutex
	w  *bufio.Writer
}

func (f *file) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.w.Write(p)
}

func (f *file) flush() {
	for range time.Tick(time.Second) {
		f.mu.Lock()
		f.w.Flush()
		f.mu.Unlock()
	}
}

type tariffs struct {
	tree atomic.Pointer[radix.Tree]
	log  zerolog.Logger
}

func (t *tariffs) load(round int) {
	tree := radix.New()
	for a := range 90 {
		for b := range 100 {
			tree.Insert(fmt.Sprintf("%02d%02d", a+10, b), a+b+round)
			tree.Insert(fmt.Sprintf("%02d%02d%d", a+10, b, a%10), a+b+round+1)
		}
	}
	t.tree.Store(tree)
}

func (t *tariffs) serve(ctx *fasthttp.RequestCtx) {
	numbers := strings.Split(string(ctx.QueryArgs().Peek("numbers")), ",")
	tree, sum := t.tree.Load(), 0
	for _, n := range numbers {
		prefix, price, ok := tree.LongestPrefix(n)
		if !ok {
			ctx.Error("no such country: "+n, fasthttp.StatusNotFound)
			return
		}
		sum += price.(int)
		fmt.Fprintf(ctx, "%s %s %d\n", n, prefix, price)
	}
	t.log.Info().Int("numbers", len(numbers)).Int("sum", sum).Msg("priced")
}

func main() {
	f, err := os.CreateTemp("", "calls-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.Remove(f.Name())
	out := &file{w: bufio.NewWriterSize(f, 256<<10)}
	go out.flush()
	t := &tariffs{log: zerolog.New(out).With().Timestamp().Logger()}
	t.load(0)
	go func() {
		for round := range time.Tick(30 * time.Second) {
			t.load(round.Second())
		}
	}()
	ln := service.Listen()
	go func() { log.Println(fasthttp.Serve(ln, t.serve)) }()
	service.Wait()
}
