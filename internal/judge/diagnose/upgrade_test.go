package diagnose

import (
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/advice"
)

// TestUpgrade: of what a later version could change, and not of a wrapper of a system call, nor of what a generator wrote.
func TestUpgrade(t *testing.T) {
	at := func(function, file string) *unpark.Site { return &unpark.Site{Function: function, File: file} }
	for _, c := range []struct {
		what    string
		culprit *unpark.Site
		want    string
	}{
		{"a library's function", at("example.org/gate.Enter", "example.org/gate@v1.2.0/gate.go"), "go list -m -versions example.org/gate"},
		{"Go's own, which a library calls", at("os.OpenFile", "/go/src/os/file.go"), "go list -m -versions example.org/door"},
		{"a wrapper of a system call", at("golang.org/x/sys/unix.Fdatasync", "golang.org/x/sys@v0.49.0/unix/zsyscall_linux.go"), ""},
		{"what is generated from a message", at("example.org/gate.(*Ticket).Marshal", "example.org/gate@v1.2.0/gate.pb.go"), ""},
		{"what is generated for deep copies", at("example.org/gate.(*Ticket).DeepCopy", "example.org/gate@v1.2.0/zz_generated.deepcopy.go"), ""},
		{"the user's own build of it", at("example.org/gate.Enter", "/src/gate/gate.go"), ""},
		{"nothing is known", nil, ""},
	} {
		f := unpark.Finding{Class: unpark.ClassLock, Culprit: c.culprit, Way: []unpark.Part{{Site: *at("example.org/door.Open", "example.org/door@v0.3.0/door.go")}}}
		if up, _ := upgrade(f); up.Change != c.want {
			t.Errorf("%s: %q, want %q", c.what, up.Change, c.want)
		}
	}
}

// TestUpgradeOfLocks: a lock that a library takes has no culprit, but those that take it.
func TestUpgradeOfLocks(t *testing.T) {
	for file, want := range map[string]string{"example.org/gate@v1.2.0/gate.go": "go list -m -versions example.org/gate", "/src/shop/gate.go": ""} {
		waiter := unpark.Site{Function: "example.org/gate.Enter", File: file}
		if up, _ := upgrade(unpark.Finding{Class: unpark.ClassLock, Waiter: &waiter, Site: unpark.Site{Function: "main.serve", File: "/src/shop/main.go"}}); up.Change != want {
			t.Errorf("of a lock in %s: %q, want %q", file, up.Change, want)
		}
		if up, ok := upgrade(unpark.Finding{Class: unpark.ClassChannel, Waiter: &waiter}); ok {
			t.Errorf("of a channel: %q", up.Change)
		}
	}
}

// TestOfLibrary: what is said of how Go's own functions are called is for the code that calls them.
func TestOfLibrary(t *testing.T) {
	encodes := advice.Advice{Culprits: []string{"encoding/json.Marshal"}, Remedy: advice.Cheaper}
	setting := encodes
	setting.Remedy = advice.Setting
	library := unpark.Site{Function: "example.org/gate.Enter", File: "example.org/gate@v1.2.0/gate.go"}
	own := unpark.Site{Function: "main.serve", File: "/src/shop/main.go"}
	json, between := unpark.Site{Function: "encoding/json.Marshal"}, unpark.Site{Function: "bytes.Map"}
	for _, c := range []struct {
		what   string
		path   []unpark.Site
		advice advice.Advice
		want   bool
	}{
		{"a library calls it", []unpark.Site{json, between, library, own}, encodes, true},
		{"the service does", []unpark.Site{json, own, library}, encodes, false},
		{"both do", []unpark.Site{json, library, json, own}, encodes, false},
		{"a setting is the service's", []unpark.Site{json, library, own}, setting, false},
		{"below a library's function", []unpark.Site{library, own}, encodes, true},
		{"below one of the service's", []unpark.Site{own}, encodes, false},
	} {
		culprit := c.path[0]
		for class, want := range map[unpark.Class]bool{unpark.ClassCPU: c.want, unpark.ClassPool: false} {
			if got := ofLibrary(unpark.Finding{Class: class, Path: c.path, Culprit: &culprit}, c.advice); got != want {
				t.Errorf("%s, %s: %t", c.what, class, got)
			}
		}
	}
}
