//go:build linux && (amd64 || arm64)

package inspect

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/inspect/memory"
)

// Lease is rates that are lent to a process until they are put back. It may be used from several goroutines.
type Lease struct {
	p *Process

	mu        sync.Mutex
	lent      []lent
	left      []lent // rates that were on already, and are not ours
	writes    []unpark.Write
	last      map[uint64]reading // by the address of the rate
	recording *Recording         // nil: until the lease ends
	from      time.Time          // when that began
}

// lent is a word that was written, as it was before and as it is.
type lent struct {
	variable      string
	at            uint64
	before, value int64

	records, events float64 // of its kind, since Record was called
}

// Lend sets the rates that are not 0, in nanoseconds and in one of so many. A rate that the process has
// on already is left to it. Where that of memory lies may not be known: see CanLend.
func (p *Process) Lend(r Rates) (*Lease, error) {
	if err := p.Alive(); err != nil {
		return nil, err
	}
	now, err := p.Rates()
	if err != nil {
		return nil, fmt.Errorf("lend rates: %w", err)
	}
	l := &Lease{p: p, writes: []unpark.Write{}, last: map[uint64]reading{}}
	block := int64(float64(r.Block) * p.clock.perSecond() / 1e9)
	err = errors.Join(l.write("runtime.blockprofilerate", p.variables.BlockRate, now.Block, block),
		l.write("runtime.mutexprofilerate", p.variables.MutexRate, now.Mutex, r.Mutex))
	if at := p.variables.MemRate; at != 0 && r.Memory > 0 {
		err = errors.Join(err, l.write(memoryVariable, at, p.memoryRate(), r.Memory))
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("lend rates: %w", err), l.Release())
	}
	return l, nil
}

// CanLend says why a rate of memory cannot be lent.
func (p *Process) CanLend(r Rates) error {
	if p.variables.MemRate == 0 && r.Memory > 0 {
		return fmt.Errorf("process %d: where %s lies was not found in its code, and its table of symbols was left out (-s): leave --memory-rate out", p.PID, memoryVariable)
	}
	return nil
}

// Writes is all that was written so far, in the order in which it was.
func (l *Lease) Writes() []unpark.Write {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.writes)
}

// write sets a word that is 0, and notes it.
func (l *Lease) write(variable string, at uint64, before, value int64) error {
	kind, counts := l.kindOf(at)
	if counts && before > 0 {
		l.p.stopped.goesOn(kind)
		l.left = append(l.left, lent{variable: variable, at: at})
	}
	if value <= 0 || before > 0 {
		return nil
	}
	if err := l.p.set(at, value); err != nil {
		return err
	}
	l.p.stopped.goesOn(kind)
	l.lent = append(l.lent, lent{variable: variable, at: at, before: before, value: value})
	l.note(variable, at, before, value)
	return nil
}

func (l *Lease) note(variable string, at uint64, before, value int64) {
	l.writes = append(l.writes, unpark.Write{PID: l.p.PID, Variable: variable, Address: fmt.Sprintf("%#x", at), Before: before, Value: value})
}

func (p *Process) set(addr uint64, value int64) error {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(value))
	return p.mem.Write(addr, b[:])
}

// mostRecords is how many events of a kind a process may record in a second of a window before fewer of them are: three times as many
// where it records for a third of it. What they are worth does not
// change, since each is counted for those that were not recorded: a place with a twentieth of all is then known
// within 4 % in a window of 30 s, and 6 % in one of 15 s (TestEasedAccuracy). What they take the
// process is then too little to be sampled: what is left of recording is that the runtime reads a clock with each wait, whatever
// the rate is (runtime.cputicks; docs/benchmarks.md).
const mostRecords = 500

// reading is a profile as it was.
type reading struct {
	at  time.Time
	all []bucket
}

// Keep holds the lease until ctx ends, and has the process record fewer events where it records more than it may. It looks often
// at first: until it has, all that happens is recorded, which takes some processes a tenth of their CPU.
func (l *Lease) Keep(ctx context.Context) {
	wait := time.NewTimer(0)
	defer wait.Stop()
	for next := firstLook; ; next = min(2*next, laterLooks) {
		select {
		case <-ctx.Done():
			return
		case <-wait.C:
			_ = l.ease() // a list that changes while it is read is read again the next time
			wait.Reset(next)
		}
	}
}

const (
	firstLook, laterLooks = 5 * time.Millisecond, 100 * time.Millisecond
	// leastLook is what a look counts as at least: a few events in a few milliseconds are no rate.
	leastLook = 50 * time.Millisecond
)

// ease raises the rates at which the process has recorded more than it may since it was called before; the first
// call only looks. It puts back those of which there is enough.
func (l *Lease) ease() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.watch()
	var failed error
	for i := range l.lent {
		if kind, ok := l.kindOf(l.lent[i].at); ok {
			failed = errors.Join(failed, l.easeOne(&l.lent[i], kind))
		}
	}
	l.ended()
	return failed
}

func (l *Lease) easeOne(r *lent, of unpark.Kind) error {
	kind := blockProfile
	if of == unpark.KindMutex {
		kind = mutexProfile
	}
	now := reading{at: time.Now()}
	var err error
	if now.all, err = l.p.buckets(of); err != nil {
		return err
	}
	was, looked := l.last[r.at]
	l.last[r.at] = now
	if !looked {
		return nil
	}
	r.count(now.all, was.all, kind)
	since := max(now.at.Sub(was.at), leastLook).Seconds()
	value := eased(l.most()*since, now.all, was.all, r.value, kind)
	if value == r.value {
		return nil
	}
	// Nothing else may have written it meanwhile: what is not ours stays.
	if is, err := memory.Uint64(l.p.mem, r.at); err != nil || int64(is) != r.value {
		return err
	}
	if err := l.p.set(r.at, value); err != nil {
		return err
	}
	l.note(r.variable, r.at, r.value, value)
	r.value = value
	return nil
}

// eased is the rate at which a process would have recorded no more than so many: the one that it has, or a quarter
// more, and so on. Larger steps would have it record half as much as it may.
func eased(most float64, now, was []bucket, rate int64, kind int) int64 {
	const mostSteps = 64 // a million times as much
	for range mostSteps {
		if recorded(now, was, rate, kind) <= most {
			break
		}
		rate += max(1, rate/4)
	}
	return rate
}

// recorded is how many records the events between two readings make with a rate, at most: of contentions one in so many; of
// blocking each that is as long as the rate, and of shorter ones the part that they are of it (runtime/mprof.go,
// blocksampled), by the mean of each place.
func recorded(now, was []bucket, rate int64, kind int) float64 {
	var sum float64
	for i, b := range now {
		// New places come in front, so places are counted from behind.
		count, cycles := b.count, float64(b.cycles)
		if k := len(was) - len(now) + i; k >= 0 {
			count, cycles = count-was[k].count, cycles-float64(was[k].cycles)
		}
		switch {
		case count <= 0:
		case kind == mutexProfile:
			sum += count / float64(rate)
		default:
			sum += count * min(1, cycles/count/float64(rate))
		}
	}
	return sum
}

// Release puts back what was written, but not over what anything else wrote since. It may be called
// again. A process that has ended needs nothing.
func (l *Lease) Release() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := l.lent
	l.lent = nil
	if err := l.p.Alive(); err != nil {
		return nil //nolint:nilerr // there is nothing left to put back
	}
	var failed []error
	for _, r := range all {
		now, err := memory.Uint64(l.p.mem, r.at)
		if err == nil && int64(now) == r.value {
			err = l.p.set(r.at, r.before)
		}
		if err != nil && !errors.Is(err, memory.ErrGone) {
			failed = append(failed, fmt.Errorf("put back %s: %w", r.variable, err))
		}
	}
	return errors.Join(failed...)
}
