package investigate

import (
	"runtime/debug"
	"slices"
	"testing"
)

// TestFromFolders: what go version -m prints of a program of a workspace, with one
// module that is replaced by a folder and two that are replaced by others.
func TestFromFolders(t *testing.T) {
	info, err := debug.ParseBuildInfo("go\tgo1.26.8\npath\texample.com/app\nmod\texample.com/app\t(devel)\t\n" +
		"dep\texample.com/forked\tv1.0.0\n=>\t./forked\t(devel)\t\n" +
		"dep\texample.com/kit\t(devel)\t\n" +
		"dep\texample.com/lib\tv1.2.3\th1:x=\n" +
		"dep\texample.com/pinned\tv1.2.3\n=>\texample.com/pinned\tv1.1.0\th1:x=\n")
	if err != nil {
		t.Fatal(err)
	}
	if got := fromFolders(info.Deps); !slices.Equal(got, []string{"example.com/forked", "example.com/kit"}) {
		t.Errorf("%v", got)
	}
	if got := joined([]string{"b", "a"}, []string{"b"}); !slices.Equal(got, []string{"a", "b"}) || joined(nil, nil) != nil {
		t.Errorf("joined %v", got)
	}
}

func TestCheckOwn(t *testing.T) {
	for _, good := range []string{"github.com/acme/...", "github.com/acme/*", "github.com/acme/shop", "go.acme.io", "shop"} {
		if err := CheckOwn([]string{good}); err != nil {
			t.Error(err)
		}
	}
	for _, bad := range []string{"", "*", "...", "/...", "github.com/*/shop", "github.com/.../shop", "a,b", "a b", "https://github.com/acme", "./kit", "/src/kit"} {
		if CheckOwn([]string{bad}) == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}
