package profile

import (
	"testing"

	"github.com/unpark-go/unpark"
)

// A closure of others that is inlined into main has main's name, and gives way to a line that is the application's own.
func TestInlinedClosures(t *testing.T) {
	const root, mod = "/usr/local/go/src/", "/go/pkg/mod/"
	own := unpark.Site{Function: "main.(*files).Open", File: "/x/main.go", Line: 9}
	for _, c := range []struct {
		name   string
		frame  unpark.Site
		yields bool
	}{
		{"Go's own", unpark.Site{Function: "main.main.StripPrefix.func3", File: root + "net/http/server.go"}, true},
		{"Go's own, trimmed", unpark.Site{Function: "main.main.StripPrefix.func3", File: "net/http/server.go"}, true},
		{"of a toolchain that was fetched", unpark.Site{Function: "main.run.StripPrefix.func1", File: mod + "golang.org/toolchain@v0.0.1-go1.26.8.linux-amd64/src/net/http/server.go"}, true},
		{"of a module", unpark.Site{Function: "main.main.Logger.func1", File: mod + "github.com/acme/mw@v1.2.3/mw.go"}, true},
		{"of a module, trimmed", unpark.Site{Function: "example.com/shop/api.New.Logger.func1", File: "github.com/acme/mw@v1.2.3/mw.go"}, true},
		{"a method's", unpark.Site{Function: "main.(*server).routes.StripPrefix.func1", File: root + "net/http/server.go"}, true},
		{"its own", unpark.Site{Function: "main.main.handler.func1", File: "/x/shop/api.go"}, false},
		{"its own, in a folder with a name of Go's", unpark.Site{Function: "example.com/shop/log.New.func1", File: "/x/src/log/log.go"}, false},
		{"the application is itself a module that was fetched", unpark.Site{Function: "example.com/shop/api.New.with.func1", File: mod + "example.com/shop@v1.0.0/api/api.go"}, false},
		{"without a file", unpark.Site{Function: "main.main.StripPrefix.func3"}, false},
	} {
		cat := NewCatalogue("example.com/shop")
		if l := cat.Label(unpark.KindCPU, []unpark.Site{c.frame, own}); (l.App == 1) != c.yields {
			t.Errorf("%s: application's frame %d, gives way: %v", c.name, l.App, c.yields)
		}
		// Where there is no other it is the best that is known, before a library's.
		lib := unpark.Site{Function: "github.com/acme/lib.Do", File: mod + "github.com/acme/lib@v1.0.0/lib.go"}
		if l := cat.Label(unpark.KindCPU, []unpark.Site{lib, c.frame}); l.App != 1 {
			t.Errorf("%s: alone with a library: frame %d", c.name, l.App)
		}
	}
}
