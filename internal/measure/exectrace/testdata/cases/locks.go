package main

import (
	"net/http"
	"sync"
	"time"
)

// pendingWriter: readers wait behind a writer that waits for a reader
// (sync/rwmutex.go: a pending writer keeps new readers out).
func pendingWriter(b *bench) {
	var mu sync.RWMutex
	var reading, behind gathering
	b.handle("/slow", func(*http.Request) { readSlowly(&mu, &reading, &behind) })
	b.handle("/write", func(*http.Request) { writeRow(&mu) })
	b.handle("/read", func(*http.Request) { readRow(&mu, &behind) })
	b.start()
	slow := b.begin("/slow")
	reading.await(1)
	write := b.begin("/write")
	for mu.TryRLock() {
		mu.RUnlock()
		time.Sleep(time.Millisecond)
	}
	b.ask("/read", "/read", "/read")
	slow.Wait()
	write.Wait()
	b.stop(0)
}

func readSlowly(mu *sync.RWMutex, reading, behind *gathering) {
	mu.RLock()
	reading.arrive()
	for behind.missing(3) {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(hold)
	mu.RUnlock()
}

func writeRow(mu *sync.RWMutex) {
	mu.Lock()
	time.Sleep(hold / 2)
	mu.Unlock()
}

func readRow(mu *sync.RWMutex, behind *gathering) {
	behind.arrive()
	mu.RLock()
	mu.RUnlock()
}

// starvation: a goroutine that takes the lock again at once after each unlock
// would keep the others out for ever; after 1 ms they get it handed over in turn
// (internal/sync/mutex.go: starvation mode).
func starvation(b *bench) {
	var mu sync.Mutex
	done := make(chan struct{})
	b.handle("/row", func(*http.Request) { holdRow(&mu) })
	b.start()
	barging := make(chan struct{})
	go func() {
		defer close(barging)
		barge(&mu, done)
	}()
	b.ask("/row", "/row", "/row", "/row", "/row", "/row")
	close(done)
	<-barging
	b.stop(0)
}

func holdRow(mu *sync.Mutex) {
	mu.Lock()
	time.Sleep(hold / 2)
	mu.Unlock()
}

func barge(mu *sync.Mutex, done chan struct{}) {
	for {
		select {
		case <-done:
			return
		default:
		}
		mu.Lock()
		time.Sleep(4 * time.Millisecond)
		mu.Unlock()
	}
}

// lockSend: the holder sends on a channel under the lock, and nobody receives.
func lockSend(b *bench) {
	var mu sync.Mutex
	var holding, waiting gathering
	results := make(chan int)
	b.handle("/send", func(*http.Request) { sendLocked(&mu, &holding, results) })
	b.handle("/wait", func(*http.Request) { waitForLock(&mu, &waiting) })
	b.start()
	sent := b.begin("/send")
	holding.await(1)
	received := make(chan struct{})
	go func() {
		defer close(received)
		receiveLate(&waiting, results)
	}()
	b.ask("/wait", "/wait")
	sent.Wait()
	<-received
	b.stop(0)
}

func sendLocked(mu *sync.Mutex, holding *gathering, results chan int) {
	mu.Lock()
	holding.arrive()
	results <- 1
	mu.Unlock()
}

func receiveLate(waiting *gathering, results chan int) {
	for waiting.missing(2) {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(hold)
	<-results
}

func waitForLock(mu *sync.Mutex, waiting *gathering) {
	waiting.arrive()
	mu.Lock()
	mu.Unlock()
}

// nestedLocks: the outer lock is held by one that waits for the inner lock, held
// by one that sleeps.
func nestedLocks(b *bench) {
	var outer, inner sync.Mutex
	var holding, both, waiting gathering
	b.handle("/both", func(*http.Request) { takeBoth(&outer, &inner, &both) })
	b.handle("/wait", func(*http.Request) { waitForLock(&outer, &waiting) })
	b.start()
	go holdInner(&inner, &holding, &waiting)
	holding.await(1)
	took := b.begin("/both")
	both.await(1)
	b.ask("/wait", "/wait")
	took.Wait()
	b.stop(0)
}

func holdInner(inner *sync.Mutex, holding, waiting *gathering) {
	inner.Lock()
	holding.arrive()
	for waiting.missing(2) {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(hold)
	inner.Unlock()
}

func takeBoth(outer, inner *sync.Mutex, both *gathering) {
	outer.Lock()
	both.arrive()
	inner.Lock()
	inner.Unlock()
	outer.Unlock()
}

// flusher: a goroutine that serves nobody sleeps with the lock that requests need.
func flusher(b *bench) {
	var mu sync.Mutex
	var waiting gathering
	done := make(chan struct{})
	flushed := make(chan struct{})
	b.handle("/wait", func(*http.Request) { waitForLock(&mu, &waiting) })
	b.listen(3)
	var started gathering
	go func() {
		defer close(flushed)
		for round := 1; round <= 3; round++ {
			flush(&mu, &started, &waiting, 2*round)
			<-done
		}
	}()
	started.await(1)
	b.record()
	for round := 1; round <= 3; round++ {
		started.await(round)
		b.ask("/wait", "/wait")
		done <- struct{}{}
	}
	<-flushed
	b.stop(0)
}

func flush(mu *sync.Mutex, started, waiting *gathering, waiters int) {
	mu.Lock()
	started.arrive()
	for waiting.missing(waiters) {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(hold)
	mu.Unlock()
}

// preempted: on one processor, the holder shares it with others that spin, so it
// is ready but not running for most of the time that it holds the lock.
func preempted(b *bench) {
	var mu sync.Mutex
	var holding, waiting gathering
	b.handle("/work", func(*http.Request) { workLocked(&mu, &holding, &waiting) })
	b.handle("/wait", func(*http.Request) { waitForLock(&mu, &waiting) })
	b.start()
	done := make(chan struct{})
	var spinning sync.WaitGroup
	worked := b.begin("/work")
	holding.await(1)
	waits := b.begin("/wait", "/wait")
	waiting.await(2)
	for i := 0; i < 3; i++ {
		spinning.Add(1)
		go func() {
			defer spinning.Done()
			spin(done)
		}()
	}
	worked.Wait()
	waits.Wait()
	close(done)
	spinning.Wait()
	b.stop(0)
}

func workLocked(mu *sync.Mutex, holding, waiting *gathering) {
	mu.Lock()
	holding.arrive()
	for waiting.missing(2) {
		time.Sleep(time.Millisecond)
	}
	burn(5 * hold)
	mu.Unlock()
}

// burn keeps a processor busy until d has passed.
func burn(d time.Duration) (n int) {
	for end := time.Now().Add(d); time.Now().Before(end); {
		for i := 0; i < 1000; i++ {
			n += i ^ n
		}
	}
	return n
}

func spin(done chan struct{}) (n int) {
	for {
		select {
		case <-done:
			return n
		default:
		}
		for i := 0; i < 1000; i++ {
			n += i ^ n
		}
	}
}

// elsewhere: two workers wait for each other's lock, and no request does.
func elsewhere(b *bench) {
	var mu sync.Mutex
	done := make(chan struct{})
	b.handle("/sleep", func(*http.Request) { sleepAlone() })
	b.start()
	var working sync.WaitGroup
	for i := 0; i < 2; i++ {
		working.Add(1)
		go func() {
			defer working.Done()
			contend(&mu, done)
		}()
	}
	b.ask("/sleep", "/sleep", "/sleep")
	close(done)
	working.Wait()
	b.stop(0)
}

func sleepAlone() { time.Sleep(2 * hold) }

func contend(mu *sync.Mutex, done chan struct{}) {
	for {
		select {
		case <-done:
			return
		default:
		}
		mu.Lock()
		time.Sleep(hold / 3)
		mu.Unlock()
	}
}
