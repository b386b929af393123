package hub

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// served starts a server of the test's own, with a connection to it and the file that others join by.
func served(t *testing.T) (s *Server, own *nats.Conn, file string) {
	t.Helper()
	id, file, _, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if s, err = Serve(id, "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	if own, err = s.Connect(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(own.Close)
	return s, own, file
}

// TestPut: what an agent stores is what jetstream's own ObjectStore reads, of every size, from readers that give a
// little at a time; many at once come all to their end, together more than the server buffers; one that breaks off is none.
func TestPut(t *testing.T) {
	s, own, file := served(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	_, objects, err := Buckets(ctx, own)
	if err != nil {
		t.Fatal(err)
	}
	join, err := ReadJoin(file)
	if err != nil {
		t.Fatal(err)
	}
	large := make([]byte, 5<<20)
	_, _ = rand.NewChaCha8([32]byte{1}).Read(large)
	sizes := []int{0, 1, chunk - 1, chunk, chunk + 1, 3*chunk + 7, len(large), len(large), len(large), len(large), len(large), len(large), len(large), len(large)}
	var wg sync.WaitGroup
	for i, size := range sizes {
		wg.Go(func() {
			nc, err := join.DialAgent(s.URL())
			if err != nil {
				t.Error(err)
				return
			}
			defer nc.Close()
			err = Put(ctx, nc, fmt.Sprintf("r/%d", i), func() io.ReadCloser {
				return io.NopCloser(iotest.HalfReader(bytes.NewReader(large[:size])))
			})
			if err != nil {
				t.Errorf("%d bytes: %v", size, err)
			}
		})
	}
	wg.Wait()
	for i, size := range sizes {
		got, err := objects.GetBytes(ctx, fmt.Sprintf("r/%d", i))
		if err != nil || !bytes.Equal(got, large[:size]) {
			t.Errorf("%d bytes: read %d, %v", size, len(got), err)
		}
	}
	broken := errors.New("the disk is gone")
	if err := Put(ctx, own, "broken", func() io.ReadCloser {
		return io.NopCloser(io.MultiReader(bytes.NewReader(large[:2*chunk]), iotest.ErrReader(broken)))
	}); !errors.Is(err, broken) {
		t.Errorf("a reader that fails: %v", err)
	}
	if _, err := objects.Get(ctx, "broken"); !errors.Is(err, jetstream.ErrObjectNotFound) {
		t.Errorf("half of an object can be read: %v", err)
	}
}

// TestPutWithoutStore: where nothing has the store, which in a cluster one server has, that is told at once.
func TestPutWithoutStore(t *testing.T) {
	_, own, _ := served(t)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	err := Put(ctx, own, "none", func() io.ReadCloser { return io.NopCloser(bytes.NewReader([]byte("x"))) })
	if !errors.Is(err, jetstream.ErrNoStreamResponse) || !strings.Contains(err.Error(), "the server that had it may be away") {
		t.Error(err)
	}
}

// TestPutBeginsAnew: what the server refuses for now is sent again from its beginning, and what came of the first time is removed.
func TestPutBeginsAnew(t *testing.T) {
	refused := &jetstream.APIError{ErrorCode: tooMany}
	s, own, file := served(t)
	_, objects, err := Buckets(t.Context(), own)
	if err != nil {
		t.Fatal(err)
	}
	join, err := ReadJoin(file)
	if err != nil {
		t.Fatal(err)
	}
	nc, err := join.DialAgent(s.URL())
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	body, tries := bytes.Repeat([]byte("x"), 3*chunk), 0
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := Put(ctx, nc, "again", func() io.ReadCloser {
		if tries++; tries == 1 { // as if the server had said so after two chunks
			return io.NopCloser(io.MultiReader(bytes.NewReader(body[:2*chunk]), iotest.ErrReader(refused)))
		}
		return io.NopCloser(bytes.NewReader(body))
	}); err != nil || tries != 2 {
		t.Fatalf("%d tries: %v", tries, err)
	}
	got, err := objects.GetBytes(ctx, "again")
	if err != nil || !bytes.Equal(got, body) {
		t.Errorf("read %d bytes of %d: %v", len(got), len(body), err)
	}
	js, err := jetstream.New(own)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := js.Stream(ctx, "OBJ_"+Artifacts)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := stream.Info(ctx); err != nil || info.State.Msgs != 4 {
		t.Errorf("%d messages of 4: %v", info.State.Msgs, err)
	}
}
