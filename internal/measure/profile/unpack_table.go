package profile

import (
	"fmt"

	pprof "github.com/google/pprof/profile"
)

// table has entries by their numbers, which are mostly 1, 2, 3, ….
type table[T any] struct {
	all   []T
	dense []*T
	rest  map[uint64]*T
}

func newTable[T any](n int) table[T] {
	return table[T]{all: make([]T, 0, n), dense: make([]*T, n+1), rest: map[uint64]*T{}}
}

func (t *table[T]) get(id uint64) *T {
	if id < uint64(len(t.dense)) {
		return t.dense[id]
	}
	return t.rest[id]
}

// add keeps an entry, whose number must be its own.
func (t *table[T]) add(id uint64, one T) error {
	switch {
	case id == 0:
		return fmt.Errorf("a %T has the number 0", one)
	case t.get(id) != nil:
		return fmt.Errorf("several %T have the number %d", one, id)
	}
	t.all = append(t.all, one)
	at := &t.all[len(t.all)-1]
	if id < uint64(len(t.dense)) {
		t.dense[id] = at
	} else {
		t.rest[id] = at
	}
	return nil
}

func (t *table[T]) list() []*T {
	out := make([]*T, len(t.all))
	for i := range t.all {
		out[i] = &t.all[i]
	}
	return out
}

func (u *unpacker) mapping(f field) error {
	var m pprof.Mapping
	err := f.message(func(f field) (err error) {
		if f.number <= 10 && f.kind != varint {
			return errType
		}
		switch f.number {
		case 1:
			m.ID = f.value
		case 2:
			m.Start = f.value
		case 3:
			m.Limit = f.value
		case 4:
			m.Offset = f.value
		case 5:
			m.File, err = u.forever(f.value)
		case 6:
			m.BuildID, err = u.forever(f.value)
		case 7:
			m.HasFunctions = f.value != 0
		case 8:
			m.HasFilenames = f.value != 0
		case 9:
			m.HasLineNumbers = f.value != 0
		case 10:
			m.HasInlineFrames = f.value != 0
		}
		return err
	})
	if err != nil {
		return err
	}
	return u.mappings.add(m.ID, m)
}
