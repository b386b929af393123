package main

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/unpark-go/unpark/internal/lookup"
)

// Every cache gives the latest row while others change it, and ends with what was
// put last.
func TestCaches(t *testing.T) {
	for _, name := range []string{"mutex", "rwmutex", "sharded", "copy"} {
		t.Run(name, func(t *testing.T) {
			store := lookup.NewStore(8, 0)
			c, err := newCache(name, store)
			if err != nil {
				t.Fatal(err)
			}
			var all sync.WaitGroup
			for i := range 4 {
				all.Go(func() {
					key := fmt.Sprintf("sku-%04d", i)
					for cents := range int64(50) {
						if err := c.Put(key, cents+1); err != nil {
							t.Error(err)
							return
						}
						// Only this goroutine changes the key.
						row, err := c.Get(key)
						if want := uint64(cents) + 2; err != nil || row.Version != want {
							t.Errorf("%s has version %d, want %d: %v", key, row.Version, want, err)
							return
						}
						if _, err := c.Get(fmt.Sprintf("sku-%04d", (i+1)%4)); err != nil {
							t.Error(err)
							return
						}
					}
				})
			}
			all.Wait()
			if _, err := c.Get("sku-9999"); !errors.Is(err, lookup.ErrNotFound) {
				t.Errorf("a product that is not there: %v", err)
			}
			if err := c.Put("sku-9999", 1); !errors.Is(err, lookup.ErrNotFound) {
				t.Errorf("a price of a product that is not there: %v", err)
			}
		})
	}
}

func TestShareOfWrites(t *testing.T) {
	for _, share := range []float64{0, 0.1, 0.25, 0.5, 1} {
		v, writes := variant{writes: share}, 0
		for n := range int64(1000) {
			if v.isWrite(n + 1) {
				writes++
			}
		}
		if want := int(1000 * share); writes < want-1 || writes > want+1 {
			t.Errorf("%g: %d writes of 1000", share, writes)
		}
	}
}
