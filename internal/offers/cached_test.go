package offers

import (
	"testing"

	"github.com/unpark-go/unpark"
)

// TestCached: a package's own cache for what a call of it gets each time; not for what changes something or is computed, and none of a
// package that is a cache itself.
func TestCached(t *testing.T) {
	const keys = `
type Set struct{}

func Fetch(url string) *Set { return nil }

func Publish(s *Set) {}

// KeyCache keeps sets by their addresses.
type KeyCache struct{}

func NewKeyCache() *KeyCache { return nil }

func (c *KeyCache) Get(url string) *Set { return nil }

func NewCacheKey(url string) *CacheKey { return nil }

type CacheKey struct{}

func (k *CacheKey) String() string { return "" }
`
	for what, c := range map[string]struct {
		class       unpark.Class
		stack, want string
	}{
		"it is fetched each time": {unpark.ClassDownstream, "net/http.(*Client).Do .Fetch main.verify", "NewKeyCache"},
		"it is sent":              {unpark.ClassDownstream, "net/http.(*Client).Do .Publish main.verify", ""},
		"it is computed":          {unpark.ClassCPU, "encoding/json.Unmarshal .Fetch main.verify", ""},
		"it is the cache":         {unpark.ClassDownstream, "net/http.(*Client).Do .(*KeyCache).Get main.verify", ""},
	} {
		if got := told(t, unpark.OfferCache, c.class, keys, c.stack); got != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
}

// TestStanding: of a type whose method gets something anew the one of its package that keeps it, has the same method and can be made; not
// one that has another method, nor where the keeping one is asked already.
func TestStanding(t *testing.T) {
	const loaders = `
type WebLoader struct{}

func (l *WebLoader) Load(url string) string { return "" }

func (l *WebLoader) Send(url string) {}

// CachingLoader keeps what another loader gets.
type CachingLoader struct{ next *WebLoader }

func NewCachingLoader(next *WebLoader) *CachingLoader { return nil }

func (c *CachingLoader) Load(url string) string { return c.next.Load(url) }
`
	for what, c := range map[string]struct{ stack, want string }{
		"it is got anew":        {"net/http.(*Client).Do .(*WebLoader).Load .Compact main.take", "NewCachingLoader"},
		"it is sent":            {"net/http.(*Client).Do .(*WebLoader).Send .Compact main.take", ""},
		"it is the keeping one": {"sync.(*Mutex).Lock .(*CachingLoader).Load .Compact main.take", ""},
	} {
		text := loaders + "\nfunc Compact(l *WebLoader) {}\n"
		if got := told(t, unpark.OfferCache, unpark.ClassDownstream, text, c.stack); got != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
}
