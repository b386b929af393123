package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/unpark-go/unpark/internal/fleet/clock"
	"github.com/unpark-go/unpark/internal/fleet/wire"
)

// compare exchanges timestamps with an agent, several at a time where the way is long.
func (f *Fleet) compare(ctx context.Context, name string) (clock.Offset, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*askWithin)
	defer cancel()
	alone, err := f.ask(name)
	if err != nil {
		return clock.Offset{}, err
	}
	var all []clock.Exchange
	for range exchanges {
		one, err := f.exchange(ctx, name)
		if err != nil {
			break // the estimate says what is missing
		}
		all = append(all, one)
		if ctx.Err() != nil {
			break
		}
	}
	if !alone() {
		return clock.Offset{}, errTwins
	}
	return clock.Estimate(all)
}

// errTwins is said of two agents that answer to one name: each would drive the share of both, and what one records is lost.
var errTwins = errors.New("several agents answer to this name: end all but one, or give each its own with --name")

// ask asks once, and returns what tells later whether one agent alone has answered.
func (f *Fleet) ask(name string) (alone func() bool, err error) {
	inbox := f.nc.NewInbox()
	sub, err := f.nc.SubscribeSync(inbox)
	if err == nil {
		err = f.nc.PublishRequest(wire.Subject(name, "clock"), inbox, nil)
	}
	if err != nil {
		return nil, fmt.Errorf("ask agent %s: %w", name, err)
	}
	return func() bool {
		n, _, err := sub.Pending()
		return errors.Join(err, sub.Unsubscribe()) != nil || n <= 1 // a link that is lost says nothing of it
	}, nil
}

func (f *Fleet) exchange(ctx context.Context, name string) (clock.Exchange, error) {
	ctx, cancel := context.WithTimeout(ctx, askWithin/2)
	defer cancel()
	e := clock.Exchange{Sent: f.clock.Now()}
	m, err := f.nc.RequestWithContext(ctx, wire.Subject(name, "clock"), nil)
	if err != nil {
		return e, err
	}
	e.Received = f.clock.Now()
	var t wire.Times
	if err := json.Unmarshal(m.Data, &t); err != nil {
		return e, err
	}
	e.Came, e.Answered = t.Came, t.Answered
	return e, nil
}
