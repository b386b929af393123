//go:build !linux

package load

import "context"

func newEngine(ctx context.Context, g *Generator) (engine, error) { return newCrew(ctx, g) }
