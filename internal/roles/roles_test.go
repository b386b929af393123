package roles

import (
	"testing"

	"github.com/unpark-go/unpark"
)

func TestIs(t *testing.T) {
	for _, tt := range []struct {
		function string
		is, not  []Role
	}{
		{"os.(*File).Sync", []Role{Sync, IO}, []Role{Sleep, Encode, Dial}},
		{"os.(*File).Synced", []Role{IO}, []Role{Sync}},
		{"net/http.(*Transport).dialConn", []Role{Transport, Dial, IO, Connect, Foreign}, []Role{Exchange, KeepIdle, Sync}},
		{"net/http.Header.Set", []Role{Connect}, []Role{IO, Transport}},
		{"net/http.(*persistConn).roundTrip", []Role{Exchange, IO}, []Role{Transport}},
		{"time.Sleep", []Role{Sleep}, []Role{IO}},
		{"time.Sleepy", nil, []Role{Sleep}},
		{"time.(*Timer).Reset", []Role{Sleep}, nil},
		{"encoding/json.Marshal", []Role{Encode}, []Role{IO}},
		{"crypto/tls.(*Conn).Read", []Role{IO, Dial, Encode}, nil},
		{"runtime.mallocgc", []Role{Allocate, Lock}, nil},
		{"runtime.gopark", []Role{Lock}, []Role{Allocate}},
		{"internal/poll.(*fdMutex).rwlock", []Role{Descriptor, Lock, IO, Foreign}, nil},
		{"example.com/shop/net.Dial", nil, []Role{IO, Connect, Foreign, Dial}},
		{"example.com/shop/vendor/google.golang.org/protobuf/proto.Marshal", []Role{Encode}, nil},
		{"google.golang.org/protobuf/v2/proto.Marshal", []Role{Encode}, nil},
		{"", nil, []Role{Sync, Sleep, IO, Encode, Allocate, Lock}},
	} {
		for _, r := range tt.is {
			if !Is(tt.function, r) {
				t.Errorf("%q has not role %d", tt.function, r)
			}
		}
		for _, r := range tt.not {
			if Is(tt.function, r) {
				t.Errorf("%q has role %d", tt.function, r)
			}
		}
	}
}

func TestOn(t *testing.T) {
	stack := []unpark.Site{{Function: "syscall.Fdatasync"}, {Function: "main.commit"}}
	if !On(stack, Sync) || On(stack[1:], Sync) || On(nil, Sync) {
		t.Error("a stack that syncs, and two that do not")
	}
}

// TestRolesHaveNames: a role without names would never be found.
func TestRolesHaveNames(t *testing.T) {
	for r := range Standard {
		if len(table().patterns[r]) == 0 {
			t.Errorf("role %d has no names", r)
		}
	}
}

func TestSetupOf(t *testing.T) {
	if s, ok := SetupOf("regexp.MustCompile"); !ok || s.Does != "compiles a pattern" || s.Instead == "" {
		t.Errorf("%+v, %v", s, ok)
	}
	for _, version := range []string{"", "/v4", "/v5"} {
		if _, ok := SetupOf("github.com/golang-jwt/jwt" + version + ".ParseRSAPublicKeyFromPEM"); !ok {
			t.Errorf("a key is parsed, whatever the version (%q)", version)
		}
	}
	if _, ok := SetupOf("github.com/prometheus/client_golang/prometheus.(*Registry).Register"); !ok {
		t.Error("metrics are registered once")
	}
	for _, function := range []string{
		"regexp.(*Regexp).FindString", "database/sql.(*DB).Query", "main.compile",
		"github.com/prometheus/client_golang/prometheus.(*Registry).Gather", "github.com/prometheus/client_golang/prometheus.(*Registry).Unregister",
	} {
		if s, ok := SetupOf(function); ok {
			t.Errorf("%s: %+v", function, s)
		}
	}
}
