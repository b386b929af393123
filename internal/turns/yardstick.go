package turns

import (
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/yardstick"
)

// Stick is a yardstick that measures.
type Stick interface {
	Stop()
	Within(from, to time.Time) (took time.Duration, n int, ok bool)
}

// Starter starts one on the processors that the target may use.
type Starter func(cpus []int, most time.Duration) (Stick, error)

func start(cpus []int, most time.Duration) (Stick, error) {
	y, err := yardstick.Start(cpus, yardstick.Often, most)
	if err != nil {
		return nil, err // not y: a nil pointer in an interface is not nil
	}
	return y, nil
}

var _ investigate.Beside = (*gauge)(nil)

// gauge holds the yardstick beside one window. A nil gauge, and one that cannot
// start, measures nothing: the round counts all the same, and the comparison says
// that its figures are not corrected.
type gauge struct {
	start Starter
	stick Stick

	piece unpark.Number // processor time of a piece of work in the window, seconds
}

// beyond is how much longer than its window a yardstick may go on: for reading the
// metrics at both ends and waiting for stragglers. Then it ends by itself.
const beyond = 2 * time.Second

// Begin starts the yardstick; the window comes next.
func (g *gauge) Begin(cpus []int, window time.Duration) {
	if g == nil || g.start == nil {
		return
	}
	if s, err := g.start(cpus, window+beyond); err == nil {
		g.stick = s
	}
}

// End stops it and reads what falls into the window.
func (g *gauge) End(w unpark.Window) {
	if g == nil || g.stick == nil {
		return
	}
	g.stick.Stop()
	if took, _, ok := g.stick.Within(w.Start, w.End); ok {
		g.piece = unpark.Num(took.Seconds())
	}
	g.stick = nil
}
