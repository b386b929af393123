// Command target has one thing right or wrong with its goroutines, by name, and
// serves net/http/pprof. It prints its address when all of them are in place.
package main

import (
	"context"
	"flag"
	"fmt"
	"net"
	"net/http"
	_ "net/http/pprof"
	"os"
	"runtime"
	"runtime/pprof"
	"sync"
	"sync/atomic"
	"time"
)

func main() {
	do := flag.String("do", "healthy", "what to be")
	socket := flag.String("socket", "", "unix socket to serve on instead of a port")
	flag.Parse()
	setUp, ok := scenarios()[*do]
	if !ok {
		fmt.Fprintln(os.Stderr, "target: no scenario", *do)
		os.Exit(2)
	}
	network, address := "tcp", "127.0.0.1:0"
	if *socket != "" {
		network, address = "unix", *socket
	}
	ln, err := net.Listen(network, address)
	if err != nil {
		fmt.Fprintln(os.Stderr, "target:", err)
		os.Exit(1)
	}
	setUp(ln.Addr().String())
	fmt.Println(ln.Addr())
	fmt.Fprintln(os.Stderr, http.Serve(ln, nil))
}

func scenarios() map[string]func(address string) {
	return map[string]func(string){
		"healthy":   healthy,
		"deadlock":  deadlock,
		"contended": contended,
		"forgotten": forgotten,
		"lostsend":  lostSend,
		"pipeline":  pipeline,
		"leak":      leak,
		"burst":     burst,
		"cond":      condWait,
		"nilchan":   nilChannel,
		"gather":    gather,
		"lostrecv":  lostReceive,
		"slow":      slow,
		"odd":       odd,
	}
}

// healthy parks 200 workers in the usual ways and keeps connections open. It
// must not be called stuck.
func healthy(address string) {
	jobs := make(chan int)
	cond := sync.NewCond(&sync.Mutex{})
	var queue []int
	for i := range 200 {
		switch i % 4 {
		case 0:
			go func() {
				for range jobs {
				}
			}()
		case 1:
			go selector(jobs)
		case 2:
			go condWorker(cond, &queue)
		default:
			go ticker()
		}
	}
	go func() {
		for i := 0; ; i++ {
			time.Sleep(5 * time.Millisecond)
			jobs <- i
		}
	}()
	go keepAlive(address)
}

func selector(jobs chan int) {
	never := make(chan struct{})
	for {
		select {
		case <-jobs:
		case <-never:
		}
	}
}

func condWorker(c *sync.Cond, queue *[]int) {
	c.L.Lock()
	defer c.L.Unlock()
	for len(*queue) == 0 {
		c.Wait()
	}
}

func ticker() {
	for range time.Tick(50 * time.Millisecond) {
	}
}

// keepAlive holds eight connections to the server, and uses them.
func keepAlive(address string) {
	c := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 8}}
	for range 8 {
		go func() {
			for {
				resp, err := c.Get("http://" + address + "/debug/pprof/cmdline")
				if err == nil {
					resp.Body.Close()
				}
				time.Sleep(20 * time.Millisecond)
			}
		}()
	}
}

type account struct {
	owner string
	mu    sync.Mutex
	cents int
}

var held sync.WaitGroup

func (a *account) transfer(to *account, cents int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	held.Done()
	held.Wait() // both have their own lock
	to.receive(cents)
	a.cents -= cents
}

func (a *account) receive(cents int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.cents += cents
}

func deadlock(string) {
	a, b := &account{owner: "a"}, &account{owner: "b"}
	held.Add(2)
	go a.transfer(b, 1)
	go b.transfer(a, 2)
	time.Sleep(50 * time.Millisecond)
}

// contended has the same shape without the deadlock: everybody waits, everybody
// gets there.
func contended(string) {
	a := &account{}
	for range 4 {
		go func() {
			for i := 0; ; i++ {
				held.Add(1)
				use(a, &account{cents: i})
			}
		}()
	}
}

//go:noinline
func use(a, scratch *account) {
	defer held.Done()
	a.mu.Lock()
	time.Sleep(3 * time.Millisecond)
	a.cents += scratch.cents
	a.mu.Unlock()
}

// forgotten returns with the lock held.
func forgotten(string) {
	a := &account{}
	done := make(chan bool)
	go func() {
		a.mu.Lock()
		if a.cents == 0 {
			close(done)
			return
		}
		a.mu.Unlock()
	}()
	<-done
	for range 3 {
		go a.receive(1)
	}
	time.Sleep(50 * time.Millisecond)
}

// lostSend gives up on answers that nobody reads afterwards.
func lostSend(string) {
	for range 5 {
		ask(time.Millisecond)
	}
	time.Sleep(50 * time.Millisecond)
}

func ask(patience time.Duration) {
	answer := make(chan int)
	go func() {
		time.Sleep(10 * patience)
		answer <- 42
	}()
	select {
	case <-answer:
	case <-time.After(patience):
	}
}

// pipeline sends all the time, and somebody receives.
func pipeline(string) {
	c := make(chan *account)
	go func() {
		for i := 0; ; i++ {
			send(c, &account{cents: i})
		}
	}()
	go func() {
		for range c {
			time.Sleep(10 * time.Millisecond)
		}
	}()
}

//go:noinline
func send(c chan *account, a *account) { c <- a }

// leak loses a goroutine every 20 ms.
func leak(string) {
	go func() {
		for {
			ask(time.Millisecond)
			time.Sleep(20 * time.Millisecond)
		}
	}()
}

// burst starts goroutines all the time, and they end.
func burst(string) {
	var n atomic.Int64
	go func() {
		for {
			go func() {
				done := make(chan bool)
				time.AfterFunc(30*time.Millisecond, func() { close(done) })
				n.Add(1)
				<-done
			}()
			time.Sleep(10 * time.Millisecond)
		}
	}()
}

// condWait waits below a handler for a condition that nobody signals.
func condWait(address string) {
	cond := sync.NewCond(&sync.Mutex{})
	http.HandleFunc("/wait", func(http.ResponseWriter, *http.Request) {
		cond.L.Lock()
		defer cond.L.Unlock()
		cond.Wait()
	})
	go func() { _, _ = http.Get("http://" + address + "/wait") }()
}

// lostReceive waits below a handler for an answer that nobody sends.
func lostReceive(address string) {
	answer := make(chan int)
	http.HandleFunc("/wait", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, <-answer) })
	go func() { _, _ = http.Get("http://" + address + "/wait") }()
	go func() {
		if os.Getppid() == 0 {
			answer <- 1
		}
	}()
}

func nilChannel(string) {
	var never chan int
	go func() { <-never }()
	go func() { never <- 1 }()
}

// gather waits for its children before it reads what they send.
func gather(string) {
	go func() {
		results := make(chan int)
		var all sync.WaitGroup
		for i := range 3 {
			all.Add(1)
			go func() {
				defer all.Done()
				results <- i
			}()
		}
		all.Wait()
		for range 3 {
			<-results
		}
	}()
	time.Sleep(50 * time.Millisecond)
}

// slow does its work step by step.
func slow(string) {
	steps := make(chan int)
	go func() {
		for i := 0; ; i++ {
			time.Sleep(15 * time.Millisecond)
			steps <- i
		}
	}()
	go func() {
		for {
			first(steps)
		}
	}()
}

//go:noinline
func first(steps chan int) { second(steps, &account{cents: <-steps}) }

//go:noinline
func second(steps chan int, a *account) { a.cents += <-steps }

// odd has what is rare in a dump: labels, a locked thread, a deep stack, generic
// code, a read lock, an empty select.
func odd(string) {
	never := make(chan int)
	go pprof.Do(context.Background(), pprof.Labels("tenant", "blue ]: {x}", "kind", "a"), func(context.Context) { <-never })
	go func() {
		runtime.LockOSThread()
		<-never
	}()
	go deep(130, never)
	go generic[map[string]int](never, nil)
	var rw sync.RWMutex
	rw.Lock()
	go rw.RLock()
	go rw.Lock()
	go func() { select {} }()
	go (&account{}).wait(struct{ a, b int }{1, 2}, "text", never)
	time.Sleep(50 * time.Millisecond)
}

//go:noinline
func deep(n int, c chan int) int {
	if n == 0 {
		return <-c
	}
	return deep(n-1, c) + 1
}

//go:noinline
func generic[T any](c chan int, _ T) int { return <-c }

//go:noinline
func (a *account) wait(pair struct{ a, b int }, text string, c chan int) {
	a.cents += <-c + pair.a + len(text)
}
