package cluster

import (
	"bufio"
	"bytes"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/hashicorp/raft"

	"github.com/unpark-go/unpark/labs/broker/store"
)

func TestLogStore(t *testing.T) {
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	other := &logStore{s.DB(), store.Prefix(logSpace, 1)}
	l := &logStore{s.DB(), store.Prefix(logSpace, 0)}
	if err := other.StoreLog(&raft.Log{Index: 99}); err != nil {
		t.Fatal(err)
	}
	ends := func(first, last uint64) {
		t.Helper()
		a, err := l.FirstIndex()
		b, err2 := l.LastIndex()
		if a != first || b != last || err != nil || err2 != nil {
			t.Errorf("%d to %d (%v, %v), want %d to %d", a, b, err, err2, first, last)
		}
	}
	ends(0, 0)
	in := &raft.Log{Index: 5, Term: 7, Type: raft.LogCommand, Data: []byte("data"), Extensions: []byte("more"), AppendedAt: time.Unix(1, 2)}
	if err := l.StoreLogs([]*raft.Log{{Index: 4}, in, {Index: 6}}); err != nil {
		t.Fatal(err)
	}
	ends(4, 6)
	var out raft.Log
	if err := l.GetLog(5, &out); err != nil || !reflect.DeepEqual(*in, out) {
		t.Errorf("%+v, %v", out, err)
	}
	if err := l.DeleteRange(4, 5); err != nil {
		t.Fatal(err)
	}
	ends(6, 6)
	if err := l.GetLog(5, &out); !errors.Is(err, raft.ErrLogNotFound) {
		t.Errorf("a deleted entry: %v", err)
	}
	if a, err := other.FirstIndex(); a != 99 || err != nil {
		t.Errorf("another group's log begins at %d, %v", a, err)
	}
}

func TestStableStore(t *testing.T) {
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	v := &stableStore{s.DB(), store.Prefix(stableSpace, 3)}
	if n, err := v.GetUint64([]byte("term")); n != 0 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if err := errors.Join(v.SetUint64([]byte("term"), 7), v.Set([]byte("for"), []byte("n1"))); err != nil {
		t.Fatal(err)
	}
	n, err := v.GetUint64([]byte("term"))
	b, err2 := v.Get([]byte("for"))
	if n != 7 || string(b) != "n1" || err != nil || err2 != nil {
		t.Errorf("%d, %q, %v, %v", n, b, err, err2)
	}
	if _, err := v.GetUint64([]byte("for")); err == nil {
		t.Error("two bytes are a number")
	}
}

func FuzzDecodeLog(f *testing.F) {
	f.Add(encodeLog(&raft.Log{Term: 7, Data: []byte("d"), Extensions: []byte("e"), AppendedAt: time.Unix(1, 2)}))
	f.Add([]byte{0, 1, 0, 200})
	f.Fuzz(func(t *testing.T, b []byte) {
		var log, again raft.Log
		if decodeLog(1, b, &log) != nil {
			return
		}
		if err := decodeLog(1, encodeLog(&log), &again); err != nil || !bytes.Equal(log.Data, again.Data) || log.Term != again.Term {
			t.Fatalf("%+v became %+v, %v", log, again, err)
		}
	})
}

func FuzzReadRecord(f *testing.F) {
	f.Add([]byte("\x01\x02mxx"))
	f.Add([]byte("\xff\xff\xff\xff\xff\xff\x01\x00"))
	f.Add([]byte("\x05\x05a"))
	f.Fuzz(func(_ *testing.T, b []byte) {
		r := bufio.NewReader(bytes.NewReader(b))
		for {
			if _, _, err := readRecord(r); err != nil {
				return
			}
		}
	})
}
