package main

import (
	"net/http"
	"sync"
	"time"
)

// broadcast: requests wait for a condition that one goroutine makes true late.
func broadcast(b *bench) {
	var mu sync.Mutex
	ready := false
	cond := sync.NewCond(&mu)
	var waiting gathering
	b.handle("/ready", func(*http.Request) { awaitReady(cond, &ready, &waiting) })
	b.start()
	told := make(chan struct{})
	go func() {
		defer close(told)
		tellLate(cond, &ready, &waiting)
	}()
	b.ask("/ready", "/ready", "/ready", "/ready")
	<-told
	b.stop(0)
}

func awaitReady(cond *sync.Cond, ready *bool, waiting *gathering) {
	cond.L.Lock()
	waiting.arrive()
	for !*ready {
		cond.Wait()
	}
	cond.L.Unlock()
}

func tellLate(cond *sync.Cond, ready *bool, waiting *gathering) {
	for waiting.missing(4) {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(hold)
	cond.L.Lock()
	*ready = true
	cond.L.Unlock()
	cond.Broadcast()
}

// fanOut: a request waits for four children, of which one is slow.
func fanOut(b *bench) {
	b.handle("/all", func(*http.Request) { askAll() })
	b.start()
	b.ask("/all", "/all")
	b.stop(0)
}

func askAll() {
	var all sync.WaitGroup
	for _, child := range []func(){quickChild, slowChild, quickChild, quickChild} {
		all.Add(1)
		go func(child func()) {
			defer all.Done()
			child()
		}(child)
	}
	all.Wait()
}

func quickChild() { time.Sleep(hold / 6) }

func slowChild() { time.Sleep(2 * hold) }

// once: the first fills a sync.Once slowly, the others wait for its lock.
func once(b *bench) {
	var fill sync.Once
	var filling, waiting gathering
	b.handle("/once", func(*http.Request) { fillOnce(&fill, &filling, &waiting) })
	b.start()
	first := b.begin("/once")
	filling.await(1)
	b.ask("/once", "/once")
	first.Wait()
	b.stop(0)
}

func fillOnce(fill *sync.Once, filling, waiting *gathering) {
	waiting.arrive()
	fill.Do(func() { fillSlowly(filling, waiting) })
}

func fillSlowly(filling, waiting *gathering) {
	filling.arrive()
	for waiting.missing(3) {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(hold)
}

// semaphore: a buffered channel lets two in at a time.
func semaphore(b *bench) {
	slots := make(chan struct{}, 2)
	b.handle("/limited", func(*http.Request) { limited(slots) })
	b.start()
	b.ask("/limited", "/limited", "/limited", "/limited", "/limited", "/limited")
	b.stop(0)
}

func limited(slots chan struct{}) {
	slots <- struct{}{}
	time.Sleep(hold / 2)
	<-slots
}

type job struct{ done chan struct{} }

// workers: so many workers do the jobs of all requests; a single one does them one
// after the other.
func workers(n int) func(b *bench) {
	return func(b *bench) {
		jobs := make(chan job)
		b.handle("/job", func(*http.Request) { submit(jobs) })
		b.listen(3)
		var all sync.WaitGroup
		for i := 0; i < n; i++ {
			all.Add(1)
			go func() {
				defer all.Done()
				work(jobs)
			}()
		}
		b.record()
		b.ask("/job", "/job", "/job", "/job")
		close(jobs)
		all.Wait()
		b.stop(0)
	}
}

func submit(jobs chan job) {
	j := job{done: make(chan struct{}, 1)}
	jobs <- j
	<-j.done
}

func work(jobs chan job) {
	for j := range jobs {
		time.Sleep(hold / 2)
		j.done <- struct{}{}
	}
}

// stages: a slow goroutine hands jobs on to one that is idle until then and answers at
// once.
func stages(b *bench) {
	first, second := make(chan job, 4), make(chan job)
	b.handle("/staged", func(*http.Request) { await(first) })
	b.listen(2)
	b.record() // before they wait for the first time: why one waits already is not told
	var all sync.WaitGroup
	all.Add(2)
	go func() {
		defer all.Done()
		prepare(first, second)
	}()
	go func() {
		defer all.Done()
		answer(second)
	}()
	b.ask("/staged", "/staged")
	close(first)
	all.Wait()
	b.stop(0)
}

func await(first chan job) {
	j := job{done: make(chan struct{}, 1)}
	first <- j
	<-j.done
}

func prepare(first, second chan job) {
	for j := range first {
		time.Sleep(hold)
		second <- j
	}
	close(second)
}

func answer(second chan job) {
	for j := range second {
		j.done <- struct{}{}
	}
}

// helpers: a request waits for a goroutine that it starts, which has another one do the
// work and waits for that: both work for it alone.
func helpers(b *bench) {
	b.handle("/helped", func(*http.Request) { askHelper() })
	b.start()
	b.ask("/helped", "/helped")
	b.stop(0)
}

func askHelper() {
	answered := make(chan struct{}, 1)
	go func() {
		help()
		answered <- struct{}{}
	}()
	<-answered
}

func help() {
	done := make(chan struct{})
	go func() {
		defer close(done)
		slowChild()
	}()
	<-done
}
