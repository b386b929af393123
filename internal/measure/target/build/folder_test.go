package build

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestMakeFolder(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the user's cache is named by another variable")
	}
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	for base, below := range map[string]string{"": filepath.Join(cache, "unpark", "build"), filepath.Join(cache, "mine"): filepath.Join(cache, "mine")} {
		f, err := MakeFolder(base)
		if err != nil {
			t.Fatal(err)
		}
		path := f.Path
		info, err := os.Stat(path)
		if err != nil || filepath.Dir(path) != below || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v, %v", path, info, err)
		}
		if err := os.WriteFile(filepath.Join(path, "target"), nil, 0o700); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := f.Remove(); err != nil {
				t.Error(err)
			}
		}
		if _, err := os.Stat(path); !os.IsNotExist(err) {
			t.Errorf("%s is left", path)
		}
	}
	if err := (*Folder)(nil).Remove(); err != nil {
		t.Error(err)
	}
	file := filepath.Join(cache, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := MakeFolder(file); err == nil || !strings.Contains(err.Error(), "--build-dir") {
		t.Errorf("in a file: %v", err)
	}
}
