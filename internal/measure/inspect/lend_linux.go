//go:build linux && (amd64 || arm64)

package inspect

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/inspect/memory"
)

// Lease is rates that are lent to a process until they are put back.
type Lease struct {
	p      *Process
	Writes []unpark.Write
	at     []uint64 // their addresses
}

// Lend sets the rates that are not 0, in nanoseconds and in one of so many. A rate that the process has
// on already is left to it. That of memory takes a binary with its table of symbols: see CanLend.
func (p *Process) Lend(r Rates) (*Lease, error) {
	if err := p.Alive(); err != nil {
		return nil, err
	}
	now, err := p.Rates()
	if err != nil {
		return nil, fmt.Errorf("lend rates: %w", err)
	}
	l := &Lease{p: p, Writes: []unpark.Write{}}
	block := int64(float64(r.Block) * p.clock.perSecond() / 1e9)
	err = errors.Join(l.write("runtime.blockprofilerate", p.variables.BlockRate, now.Block, block),
		l.write("runtime.mutexprofilerate", p.variables.MutexRate, now.Mutex, r.Mutex))
	if at, ok := p.Image.Variable(memoryVariable); ok && r.Memory > 0 {
		err = errors.Join(err, l.write(memoryVariable, at, p.memoryRate(), r.Memory))
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("lend rates: %w", err), l.Release())
	}
	return l, nil
}

// CanLend says why a rate of memory cannot be lent.
func (p *Process) CanLend(r Rates) error {
	if _, ok := p.Image.Variable(memoryVariable); !ok && r.Memory > 0 {
		return fmt.Errorf("process %d: the binary was stripped, so where %s is is not known: leave --memory-rate out", p.PID, memoryVariable)
	}
	return nil
}

// write sets a word that is 0, and notes it.
func (l *Lease) write(variable string, at uint64, before, value int64) error {
	if value <= 0 || before > 0 {
		return nil
	}
	if err := l.p.set(at, value); err != nil {
		return err
	}
	l.at = append(l.at, at)
	l.Writes = append(l.Writes, unpark.Write{PID: l.p.PID, Variable: variable, Address: fmt.Sprintf("%#x", at), Before: before, Value: value})
	return nil
}

func (p *Process) set(addr uint64, value int64) error {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(value))
	return p.mem.Write(addr, b[:])
}

// Release puts back what was written, but not over what anything else wrote since. It may be called
// again. A process that has ended needs nothing.
func (l *Lease) Release() error {
	writes := l.Writes
	l.Writes = nil
	if err := l.p.Alive(); err != nil {
		return nil //nolint:nilerr // there is nothing left to put back
	}
	var failed []error
	for i, w := range writes {
		now, err := memory.Uint64(l.p.mem, l.at[i])
		if err == nil && int64(now) == w.Value {
			err = l.p.set(l.at[i], w.Before)
		}
		if err != nil && !errors.Is(err, memory.ErrGone) {
			failed = append(failed, fmt.Errorf("put back %s: %w", w.Variable, err))
		}
	}
	return errors.Join(failed...)
}
