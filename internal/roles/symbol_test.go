package roles

import "testing"

func TestSymbols(t *testing.T) {
	for _, c := range []struct{ in, pkg, outer, canonical string }{
		{"main.main", "main", "main.main", "main.main"},
		{"net/http.(*conn).serve", "net/http", "net/http.(*conn).serve", "net/http.(*conn).serve"},
		{"main.(*T).M.func2.1", "main", "main.(*T).M", "main.(*T).M.func2.1"},
		{"main.(*T).M.func2.gowrap1", "main", "main.(*T).M", "main.(*T).M.func2.gowrap1"},
		{"main.(*T).M.deferwrap2", "main", "main.(*T).M", "main.(*T).M.deferwrap2"},
		{"main.(*T).M-fm", "main", "main.(*T).M", "main.(*T).M-fm"},
		{"main.run-range1", "main", "main.run", "main.run-range1"},
		{"main.init.0.func1", "main", "main.init", "main.init.0.func1"},
		{"main.glob..func3", "main", "main.glob", "main.glob..func3"},
		{"main.function2", "main", "main.function2", "main.function2"},
		{"main.Map[...]", "main", "main.Map[...]", "main.Map"},
		{"main.Map[...].func1", "main", "main.Map[...]", "main.Map.func1"},
		{"main.Map[go.shape.int,example.com/x.T]", "main", "main.Map[go.shape.int,example.com/x.T]", "main.Map"},
		{"main.(*Set[...]).Add", "main", "main.(*Set[...]).Add", "main.(*Set).Add"},
		{"github.com/jackc/puddle/v2.(*Pool[...]).Acquire", "github.com/jackc/puddle/v2", "github.com/jackc/puddle/v2.(*Pool[...]).Acquire", "github.com/jackc/puddle.(*Pool).Acquire"},
		{"github.com/redis/go-redis/v9/internal/pool.(*ConnPool).Get", "github.com/redis/go-redis/v9/internal/pool", "github.com/redis/go-redis/v9/internal/pool.(*ConnPool).Get", "github.com/redis/go-redis/internal/pool.(*ConnPool).Get"},
		{"gopkg.in/yaml%2ev3.Unmarshal", "gopkg.in/yaml%2ev3", "gopkg.in/yaml%2ev3.Unmarshal", "gopkg.in/yaml.Unmarshal"},
		{"example.com/a/vendor/github.com/b/c.F", "example.com/a/vendor/github.com/b/c", "example.com/a/vendor/github.com/b/c.F", "github.com/b/c.F"},
		{"vendor/golang.org/x/net/http/httpguts.F", "vendor/golang.org/x/net/http/httpguts", "vendor/golang.org/x/net/http/httpguts.F", "golang.org/x/net/http/httpguts.F"},
		{"malloc", "", "malloc", "malloc"},
		{"", "", "", ""},
		{"example.com/video.Play", "example.com/video", "example.com/video.Play", "example.com/video.Play"},
		{"example.com/v2x/video.Play", "example.com/v2x/video", "example.com/v2x/video.Play", "example.com/v2x/video.Play"},
	} {
		if got := packageOf(c.in); got != c.pkg {
			t.Errorf("packageOf(%q) = %q, want %q", c.in, got, c.pkg)
		}
		if got := Outer(c.in); got != c.outer {
			t.Errorf("Outer(%q) = %q, want %q", c.in, got, c.outer)
		}
		if got := canonical(c.in); got != c.canonical {
			t.Errorf("canonical(%q) = %q, want %q", c.in, got, c.canonical)
		}
	}
}
