package ab

import (
	"context"
	"fmt"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/turns"
)

const (
	beforeName = "before"
	afterName  = "after"
)

func (e *experiment) name(i int) string { return []string{beforeName, afterName}[i] }

// build makes both arms ready before either runs: a compiler beside a round would
// be measured with it.
func (e *experiment) build(ctx context.Context) error {
	for i, arm := range []turns.Arm{e.c.Before, e.c.After} {
		built, err := e.turns.Build(ctx, e.name(i), arm)
		e.arms[i] = built
		if err != nil {
			return fmt.Errorf("the arm %s: %w", e.name(i), err)
		}
	}
	return nil
}

// discard removes what build made. It runs after everything else, whatever
// happened: what cannot be removed is reported, and does no harm.
func (e *experiment) discard() {
	for _, b := range e.arms {
		if err := b.Remove(); err != nil {
			e.say(err.Error())
		}
	}
}

// title names an arm for a reader, without what may be secret.
func title(a turns.Arm) string {
	var words []string
	for _, assignment := range a.Env {
		words = append(words, unpark.RedactEnv(assignment))
	}
	words = append(words, unpark.RedactCommand(a.Command)...)
	if a.Package == "" {
		return strings.Join(words, " ")
	}
	name := a.Revision
	if name == "" || name == turns.WorkingTree {
		name = "the working tree"
	}
	return a.Package + " at " + name
}
