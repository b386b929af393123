package check_test

import (
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/check"
)

func TestPlaces(t *testing.T) {
	const get = "github.com/acme/shop/store.(*DB).Get"
	learned := []unpark.Finding{{Site: site("main.main", "/build/x/cmd/server/main.go", 1), Path: []unpark.Site{
		site("net/http.(*conn).serve", "/usr/local/go/src/net/http/server.go", 2),
		site("github.com/acme/shop/store.Map[go.shape.struct { a/b.c }].Get", "/build/x/store/map.go", 3),
	}}}
	for _, c := range []struct {
		name  string
		p     check.Places
		file  string
		want  string
		below bool
	}{
		{"below the repository", places(), "/checkout/mono/services/shop/store/db.go", "services/shop/store/db.go", true},
		{"built elsewhere", places(), "/build/x/cmd/server/main.go", "services/shop/cmd/server/main.go", true},
		{"trimmed", places(), "github.com/acme/shop/store/db.go", "services/shop/store/db.go", true},
		{"module at the root", check.Places{Root: "/r", Module: "github.com/acme/shop"}, "/build/x/store/db.go", "store/db.go", true},
		{"nothing known", check.Places{}, "/build/x/store/db.go", "/build/x/store/db.go", false},
		{"another folder that begins alike", check.Places{Root: "/r"}, "/rest/db.go", "/rest/db.go", false},
		{"standard library", places(), "/usr/local/go/src/net/http/server.go", "/usr/local/go/src/net/http/server.go", false},
		{"another module, trimmed", places(), "github.com/other/lib@v1.2.3/x.go", "github.com/other/lib@v1.2.3/x.go", false},
		{"a way out", places(), "github.com/acme/shop/../../../../../etc/passwd", "github.com/acme/shop/../../../../../etc/passwd", false},
		{"Windows", check.Places{Root: "C:/r"}, `C:\r\store\db.go`, "store/db.go", true},
		{"no file", places(), "", "", false},
	} {
		got, below := c.p.Learn(learned).File(site(get, c.file, 1))
		if got != c.want || below != c.below {
			t.Errorf("%s: %q, %v, want %q, %v", c.name, got, below, c.want, c.below)
		}
	}
}
