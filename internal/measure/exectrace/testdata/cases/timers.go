package main

import (
	"context"
	"net/http"
	"time"

	"golang.org/x/time/rate"
)

// selectTimeout: nobody answers, a timer ends the wait.
func selectTimeout(b *bench) {
	answers := make(chan int)
	b.handle("/select", func(*http.Request) { giveUp(answers) })
	b.start()
	b.ask("/select", "/select")
	b.stop(0)
}

func giveUp(answers chan int) {
	select {
	case <-answers:
	case <-time.After(hold):
	}
}

// timer: the wait for a timer's channel is ended by no goroutine.
func timer(b *bench) {
	b.handle("/timer", func(*http.Request) { awaitTimer() })
	b.start()
	b.ask("/timer", "/timer")
	b.stop(0)
}

func awaitTimer() { <-time.NewTimer(hold).C }

// afterFunc: a goroutine that a timer starts ends the wait.
func afterFunc(b *bench) {
	b.handle("/after", func(*http.Request) { awaitFunc() })
	b.start()
	b.ask("/after", "/after")
	b.stop(0)
}

func awaitFunc() {
	done := make(chan struct{})
	time.AfterFunc(hold, func() { tellDone(done) })
	<-done
}

func tellDone(done chan struct{}) { close(done) }

// rateLimit: a limiter lets one request pass per interval.
func rateLimit(b *bench) {
	limiter := rate.NewLimiter(hold)
	b.handle("/limit", func(r *http.Request) { b.must(throttled(r.Context(), limiter)) })
	b.start()
	b.ask("/limit", "/limit", "/limit")
	b.stop(0)
}

func throttled(ctx context.Context, l *rate.Limiter) error { return l.Wait(ctx) }

// backOff: a request sleeps.
func backOff(b *bench) {
	b.handle("/retry", func(*http.Request) { retry() })
	b.start()
	b.ask("/retry", "/retry")
	b.stop(0)
}

func retry() {
	time.Sleep(hold / 3)
	time.Sleep(hold)
}
