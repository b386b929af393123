// Package gate is a library with settings of every sort.
package gate

import (
	"sync/atomic"
	"time"
)

// Config is how a gate works.
type Config struct {
	// MaxPlaces is how many may be in at once. The default is 8.
	MaxPlaces int
	// ReadTimeout ends a wait.
	ReadTimeout time.Duration
	// Logging says what happens.
	Logging bool
	// PollInterval is the time between two looks.
	PollInterval time.Duration
	// Name is what it is called.
	Name string
}

// Ticket is what one carries: no setting.
type Ticket struct {
	MaxPlaces int
}

var readLimit uint32 = 4096

// SetLimit bounds how much is read.
func SetLimit(n uint32) { atomic.StoreUint32(&readLimit, n) }

// Gate lets some in.
type Gate struct {
	config Config
	wait   time.Duration
}

// Option is a setting of a gate.
type Option func(*Gate)

// WithWait says for how long company is waited for.
func WithWait(d time.Duration) Option { return func(g *Gate) { g.wait = d } }

// WithOldWait did.
//
// Deprecated: use WithWait.
func WithOldWait(d time.Duration) Option { return func(g *Gate) { g.wait = d } }

// Enter waits for a place.
func (g *Gate) Enter() {
	for !g.look() {
		g.pause()
	}
}

// EnterBatch waits for several places at once.
func (g *Gate) EnterBatch(n int) {}

// Leave gives a place back.
func (g *Gate) Leave() {}

func (g *Gate) look() bool {
	return g.config.MaxPlaces > int(atomic.LoadUint32(&readLimit)) && g.config.Logging
}

func (g *Gate) pause() { time.Sleep(g.config.PollInterval + g.wait + g.config.ReadTimeout) }

// Tag names it.
func (g *Gate) Tag() string { return g.config.Name }

// Opts is set before the first gate is made.
var Opts = struct {
	// DisableChecks leaves out the look at who stands in line.
	DisableChecks bool
	Title         string
}{}

func (g *Gate) check() {
	if Opts.DisableChecks {
		return
	}
	_ = Opts.Title
}

// Turnstile lets few through at a time.
type Turnstile struct{ arms chan int }

// NewTurnstile makes one.
func NewTurnstile(opts ...TurnstileOption) *Turnstile {
	var o turnstileOptions
	for _, set := range opts {
		set(&o)
	}
	return &Turnstile{arms: make(chan int, o.lanes)}
}

type turnstileOptions struct{ lanes int }

// TurnstileOption sets one of its properties.
type TurnstileOption func(*turnstileOptions)

// WithLanes says how many go through side by side.
func WithLanes(n int) TurnstileOption {
	return func(o *turnstileOptions) {
		lanes := n
		if n == 0 {
			lanes = 1
		}
		o.lanes = lanes
	}
}

// Pass waits for an arm.
func (t *Turnstile) Pass() { t.arms <- <-t.arms }
