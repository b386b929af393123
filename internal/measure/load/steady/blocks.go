package steady

import (
	"context"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load"
)

// Blocks measures blocks of a load that goes on, as its warm-up. wait returns after so many
// seconds, or with the reason why the load is not to go on.
func Blocks(g *load.Generator, wait func(ctx context.Context, seconds float64) error) func(ctx context.Context, seconds float64) (unpark.Load, error) {
	return func(ctx context.Context, seconds float64) (unpark.Load, error) {
		block := g.Begin("warmup")
		if err := wait(ctx, seconds); err != nil {
			return unpark.Load{}, err
		}
		g.Begin("warmup")
		timed, cancel := context.WithTimeout(ctx, patience*time.Second)
		defer cancel()
		return block.Load(timed), nil
	}
}
