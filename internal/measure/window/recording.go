package window

import (
	"context"
	"fmt"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/profile"
)

// record tells the reader of a process how long the window is that begins: it puts the rates back as soon as there are events
// enough for it. Where that fails they are recorded to the end.
func (m *member) record(ctx context.Context, window time.Duration) {
	if m.lease == nil || m.lease.held == nil || m.lease.Number == 0 || !m.endpoint.attached() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_, _ = m.endpoint.get(ctx, fmt.Sprintf("%s/debug/unpark/record?lease=%d&window=%s", m.endpoint.root, m.lease.Number, window), maxGrant)
}

// wholly is the part of the time between its two readings that a profile says to cover where all of it was recorded: the readings take a moment.
const wholly = 0.95

// recorded is a profile as of the time between its two readings, also where recording ended in between, which its record then says.
func (m *member) recorded(f *unpark.ProfileFile, p *profile.Profile) *profile.Profile {
	all, some := f.End.Sub(f.Start), p.Duration()
	if !f.Kind.Rated() || !m.endpoint.attached() || some <= 0 || some >= time.Duration(wholly*float64(all)) {
		return p
	}
	f.Recorded = unpark.Num(some.Seconds())
	return p.Over(all)
}
