package unpark

import "testing"

func TestModule(t *testing.T) {
	tests := []struct {
		file                   string
		module, version, below string
		ok                     bool
	}{
		{"github.com/hashicorp/yamux@v0.1.2/stream.go", "github.com/hashicorp/yamux", "v0.1.2", "stream.go", true},
		{"/go/pkg/mod/github.com/!data!dog/zstd@v1.5.6/sub/a.go", "github.com/DataDog/zstd", "v1.5.6", "sub/a.go", true},
		{"/src/shop/main.go", "", "", "", false},
		{"net/http/server.go", "", "", "", false},
		{"x@v1/../../../etc/passwd", "", "", "", false},
		{"x@v1/a/../b.go", "", "", "", false},
		{"x@latest/a.go", "", "", "", false},
		{"x@v1", "", "", "", false},
		{"", "", "", "", false},
	}
	for _, test := range tests {
		module, version, below, ok := Site{File: test.file}.Module()
		if ok != test.ok || ok && (module != test.module || version != test.version || below != test.below) {
			t.Errorf("%q is %q, %q, %q, %v", test.file, module, version, below, ok)
		}
	}
}
