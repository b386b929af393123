package task

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"
)

var errShort = errors.New("the record ends too early")

func metaKey() []byte { return []byte{'m'} }

func taskKey(id uint64) []byte { return binary.BigEndian.AppendUint64([]byte{'t'}, id) }

func (m meta) encode() []byte {
	b := binary.AppendUvarint(nil, m.next)
	b = binary.AppendUvarint(b, m.ended)
	b = binary.AppendVarint(b, m.clock)
	return binary.AppendUvarint(b, m.applied)
}

func (t *Task) encode() []byte {
	// A lease that has ended is written as it was: the clock says that it is over.
	b := append(make([]byte, 0, 64+len(t.Payload)), byte(t.State))
	b = binary.AppendUvarint(b, t.Attempt)
	b = binary.AppendVarint(b, t.Until)
	b = binary.AppendUvarint(b, t.Ended)
	b = appendBytes(b, t.Key)
	b = appendBytes(b, t.Worker)
	return appendBytes(b, t.Payload)
}

func appendBytes[T string | []byte](b []byte, s T) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// reader reads what the functions above write; its first error stays.
type reader struct {
	b   []byte
	err error
}

func (r *reader) uvarint() uint64 {
	v, n := binary.Uvarint(r.b)
	return advance(r, v, n)
}

func (r *reader) varint() int64 {
	v, n := binary.Varint(r.b)
	return advance(r, v, n)
}

func advance[T uint64 | int64](r *reader, v T, n int) T {
	if n <= 0 || r.err != nil {
		r.err, r.b = errShort, nil
		return 0
	}
	r.b = r.b[n:]
	return v
}

// bytes copies: records belong to who gave them.
func (r *reader) bytes() []byte {
	n := r.uvarint()
	if r.err != nil || n > uint64(len(r.b)) {
		r.err, r.b = errShort, nil
		return nil
	}
	if n == 0 {
		return nil
	}
	out := append([]byte(nil), r.b[:n]...)
	r.b = r.b[n:]
	return out
}

func (r *reader) byte() byte {
	if len(r.b) == 0 {
		r.err = errShort
		return 0
	}
	c := r.b[0]
	r.b = r.b[1:]
	return c
}

func decodeTask(id uint64, b []byte) (*Task, error) {
	r := reader{b: b}
	t := &Task{ID: id, State: State(r.byte()), Attempt: r.uvarint(), Until: r.varint(), Ended: r.uvarint()}
	t.Key, t.Worker, t.Payload = string(r.bytes()), string(r.bytes()), r.bytes()
	if r.err == nil && (t.State < Ready || t.State > Done) {
		r.err = fmt.Errorf("state %d is unknown", t.State)
	}
	if r.err != nil {
		return nil, fmt.Errorf("decode task %d: %w", id, r.err)
	}
	return t, nil
}

// Load takes a record in that a Writer was given; records come in the order of
// their keys, to an empty machine.
func (m *Machine) Load(key, value []byte) error {
	switch {
	case string(key) == string(metaKey()):
		r := reader{b: value}
		m.meta = meta{next: r.uvarint(), ended: r.uvarint(), clock: r.varint(), applied: r.uvarint()}
		if r.err != nil {
			return fmt.Errorf("decode the state of the shard: %w", r.err)
		}
	case len(key) == 9 && key[0] == 't':
		t, err := decodeTask(binary.BigEndian.Uint64(key[1:]), value)
		if err != nil {
			return err
		}
		m.add(t)
	default:
		return fmt.Errorf("decode a record: key %q is unknown", key)
	}
	m.publish()
	return nil
}

// Encode appends commands to b, for a replicated log.
func Encode(b []byte, commands []Command) []byte {
	b = binary.AppendUvarint(b, uint64(len(commands)))
	for _, c := range commands {
		b = append(b, byte(c.Op))
		b = appendBytes(b, c.Key)
		b = appendBytes(b, c.Payload)
		b = appendBytes(b, c.Worker)
		b = binary.AppendVarint(b, int64(c.Lease))
		b = binary.AppendUvarint(b, c.ID)
		b = binary.AppendUvarint(b, c.Attempt)
		b = binary.AppendVarint(b, c.Now)
	}
	return b
}

// Decode reads what Encode wrote.
func Decode(b []byte) ([]Command, error) {
	r := reader{b: b}
	n := r.uvarint()
	if n > uint64(len(b)) { // a command takes more than a byte
		r.err = errShort
	}
	var out []Command
	for i := uint64(0); i < n && r.err == nil; i++ {
		out = append(out, Command{
			Op: Op(r.byte()), Key: string(r.bytes()), Payload: r.bytes(), Worker: string(r.bytes()),
			Lease: time.Duration(r.varint()), ID: r.uvarint(), Attempt: r.uvarint(), Now: r.varint(),
		})
	}
	if r.err != nil {
		return nil, fmt.Errorf("decode %d commands: %w", n, r.err)
	}
	return out, nil
}
