package offers

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestLoads: when a cache asks the service for what it keeps, and for how long it keeps that, where the service waits below it.
func TestLoads(t *testing.T) {
	const cache = `
// Cache is a cache.
type Cache struct{ refresh, ttl time.Duration; shards int }

type Option func(*Cache)

func New(opts ...Option) *Cache { return nil }

func WithEarlyRefresh(d time.Duration) Option { return func(c *Cache) { c.refresh = d } }

func WithTTL(d time.Duration) Option { return func(c *Cache) { c.ttl = d } }

func WithShards(n int) Option { return func(c *Cache) { c.shards = n } }

func (c *Cache) Get(key string, load func() any) any { return load() }
`
	for what, c := range map[string]struct {
		class       unpark.Class
		stack, want string
	}{
		"it asks the service":       {unpark.ClassDownstream, "net/http.(*Client).Do main.ask .(*Cache).Get main.list", "WithEarlyRefresh WithTTL"},
		"on a goroutine of its own": {unpark.ClassDownstream, "net/http.(*Client).Do main.ask .(*Cache).Get", "WithEarlyRefresh WithTTL"},
		"the service computes":      {unpark.ClassCPU, "main.sort .(*Cache).Get main.list", ""},
		"it is not asked for by it": {unpark.ClassDownstream, "net/http.(*Client).Do main.ask main.list", ""},
	} {
		if got := told(t, unpark.OfferSetting, c.class, cache, c.stack); got != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
	limiter := strings.NewReplacer("is a cache", "limits rates, by memcached", "Cache", "Limiter").Replace(cache)
	if got := told(t, unpark.OfferSetting, unpark.ClassDownstream, limiter, "net/http.(*Client).Do main.ask .(*Limiter).Get main.list"); got != "" {
		t.Errorf("of what is no cache %q is offered", got)
	}
}

// TestRenews: what is asked for before it is needed comes before how long it is kept, and a name that says little else before others.
func TestRenews(t *testing.T) {
	last := 100
	for _, name := range []string{"WithEarlyRefreshes", "WithStorageEarlyRefreshes", "WithRefreshCoalescing", "Config.EntryTTL", "Config.Shards"} {
		got := renews(setting{name: name})
		if got > last || got == last && got > 1 || (got == 0) != (name == "Config.Shards") {
			t.Errorf("%s: %d, after %d", name, got, last)
		}
		last = got
	}
}
