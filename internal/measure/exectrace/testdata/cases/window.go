package main

import (
	"net/http"
	"sync"
	"time"
)

// edges: two requests are older than the trace and end in it, three are whole,
// two are under way when it ends.
func edges(b *bench) {
	var begun, unfinished gathering
	release, end := make(chan struct{}), make(chan struct{})
	b.handle("/early", func(*http.Request) { awaitRelease(&begun, release) })
	b.handle("/whole", func(*http.Request) { time.Sleep(hold) })
	b.handle("/late", func(*http.Request) { awaitRelease(&unfinished, end) })
	b.listen(3)
	early := b.begin("/early", "/early")
	begun.await(2)
	b.record()
	time.Sleep(hold)
	close(release)
	early.Wait()
	b.ask("/whole", "/whole", "/whole")
	late := b.begin("/late", "/late")
	unfinished.await(2)
	time.Sleep(hold)
	b.stop(2)
	close(end)
	late.Wait()
}

func awaitRelease(begun *gathering, release chan struct{}) {
	begun.arrive()
	<-release
}

// backToBack: the next request is on its way before the server looks for it, so
// that its goroutine does not park in between.
func backToBack(b *bench) {
	b.handle("/next", func(*http.Request) {})
	b.start()
	var clients sync.WaitGroup
	for i := 0; i < 4; i++ {
		clients.Add(1)
		go func() {
			defer clients.Done()
			c := b.take()
			for n := 0; n < 100; n++ {
				b.must(c.exchange("GET", "/next", ""))
			}
			b.give(c)
		}()
	}
	clients.Wait()
	b.stop(0)
}

// posts: as backToBack, with bodies.
func posts(b *bench) {
	b.handle("/post", func(r *http.Request) { b.must(readBody(r)) })
	b.start()
	c := b.take()
	for n := 0; n < 50; n++ {
		b.must(c.exchange("POST", "/post", "a body of some bytes"))
	}
	b.give(c)
	b.stop(0)
}

func readBody(r *http.Request) error {
	_, err := r.Body.Read(make([]byte, 4))
	return err
}

// shortLived: connections that carry one request each and are closed by the
// client: the end of a connection also wakes the goroutine that waits for bytes.
func shortLived(b *bench) {
	b.handle("/only", func(*http.Request) { time.Sleep(hold / 6) })
	b.start()
	for n := 0; n < 10; n++ {
		c := b.dial()
		b.must(c.exchange("GET", "/only", ""))
		c.conn.Close()
	}
	b.stop(0)
}

// unused: connections that are opened and closed, as by a check of health that
// speaks no HTTP.
func unused(b *bench) {
	b.handle("/only", func(*http.Request) { time.Sleep(hold / 6) })
	b.start()
	for n := 0; n < 3; n++ {
		b.dial().conn.Close()
	}
	kept := b.dial()
	b.ask("/only", "/only")
	b.stop(0)
	kept.conn.Close()
}

// betweenRequests: the server's own hook waits when a request is over, before the
// next is read.
func betweenRequests(b *bench) {
	b.hook = waitWhenIdle
	b.handle("/only", func(*http.Request) { time.Sleep(hold / 3) })
	b.start()
	b.ask("/only", "/only")
	b.ask("/only")
	b.stop(0)
}

func waitWhenIdle(s http.ConnState) {
	if s == http.StateIdle {
		time.Sleep(2 * time.Millisecond)
	}
}

// pipelined: requests are sent before the answers to those before them are read.
func pipelined(b *bench) {
	b.handle("/piped", func(*http.Request) { time.Sleep(hold / 3) })
	b.start()
	c := b.take()
	for n := 0; n < 5; n++ {
		b.must(c.send("GET", "/piped", ""))
	}
	for n := 0; n < 5; n++ {
		b.must(c.receive("/piped"))
	}
	b.give(c)
	b.stop(0)
}

// twoGenerations: requests span the boundaries of the trace's generations, which
// the runtime cuts every second (runtime/trace.go:traceAdvance).
func twoGenerations(b *bench) {
	var mu sync.Mutex
	var waiting gathering
	b.handle("/wait", func(*http.Request) { waitForLock(&mu, &waiting) })
	b.start()
	for round := 0; round < 2; round++ {
		waiting = gathering{}
		mu.Lock()
		waits := b.begin("/wait", "/wait")
		waiting.await(2)
		holdLong(&mu)
		waits.Wait()
	}
	b.stop(0)
}

func holdLong(mu *sync.Mutex) {
	time.Sleep(1100 * time.Millisecond)
	mu.Unlock()
}

// recorded: as flusher, recorded by a flight recorder.
func recorded(b *bench) {
	var mu sync.Mutex
	var waiting, started gathering
	b.handle("/wait", func(*http.Request) { waitForLock(&mu, &waiting) })
	b.listen(3)
	var err error
	b.finish, err = flightRecorder()
	b.must(err)
	go flush(&mu, &started, &waiting, 3)
	started.await(1)
	b.ask("/wait", "/wait", "/wait")
	b.stop(0)
}

// tour: a small trace with some of everything, for one fixture per version of Go.
func tour(b *bench) {
	var mu sync.Mutex
	var waiting, started gathering
	b.handle("/wait", func(*http.Request) { waitForLock(&mu, &waiting) })
	b.handle("/all", func(*http.Request) { askAll() })
	b.handle("/retry", func(*http.Request) { retry() })
	b.handle("/select", func(*http.Request) { giveUp(nil) })
	b.listen(2)
	b.record()
	go flush(&mu, &started, &waiting, 2)
	started.await(1)
	b.ask("/wait", "/wait", "/all", "/retry", "/select")
	b.ask("/retry")
	b.stop(0)
}
