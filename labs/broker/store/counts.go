package store

import (
	"math/bits"
	"sync/atomic"

	"github.com/unpark-go/unpark/labs/broker/task"
)

// Counts are totals since the start. The zero value is ready; a nil one counts
// nothing.
type Counts struct {
	operations, commits, created, claimed, completed atomic.Uint64
	groups                                           [9]atomic.Uint64
}

// Committed counts one commit with the results of its group of commands.
func (c *Counts) Committed(group int) {
	if c == nil || group == 0 {
		return
	}
	c.commits.Add(1)
	c.operations.Add(uint64(group))
	c.groups[min(bits.Len(uint(group-1)), len(c.groups)-1)].Add(1)
}

// Did counts what became of one command.
func (c *Counts) Did(op task.Op, r task.Result) {
	switch {
	case c == nil || r.Err != nil || r.Again:
	case op == task.Create:
		c.created.Add(1)
	case op == task.Claim && r.Found:
		c.claimed.Add(1)
	case op == task.Complete:
		c.completed.Add(1)
	}
}

// Stats is a reading of Counts.
type Stats struct {
	Operations uint64 `json:"operations"` // commands that were committed
	Commits    uint64 `json:"commits"`
	Syncs      uint64 `json:"syncs"` // of the write-ahead log
	Created    uint64 `json:"created"`
	Claimed    uint64 `json:"claimed"`
	Cycles     uint64 `json:"cycles"` // completed: a cycle is create, claim, complete
	// Groups counts commits by the number of commands in them: 1, 2, 3–4, 5–8, …,
	// 65–128, and more.
	Groups [9]uint64 `json:"groups"`
}

// Read returns the counts; Syncs is left to the caller.
func (c *Counts) Read() Stats {
	s := Stats{
		Operations: c.operations.Load(), Commits: c.commits.Load(), Created: c.created.Load(),
		Claimed: c.claimed.Load(), Cycles: c.completed.Load(),
	}
	for i := range s.Groups {
		s.Groups[i] = c.groups[i].Load()
	}
	return s
}

// Minus returns the difference to an earlier reading.
func (s Stats) Minus(t Stats) Stats {
	s.Operations -= t.Operations
	s.Commits -= t.Commits
	s.Syncs -= t.Syncs
	s.Created -= t.Created
	s.Claimed -= t.Claimed
	s.Cycles -= t.Cycles
	for i := range s.Groups {
		s.Groups[i] -= t.Groups[i]
	}
	return s
}
