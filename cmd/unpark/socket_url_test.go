package main

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSocketURL(t *testing.T) {
	there := map[string]bool{"/run/app": true, "/run/app/b": true, "/run/x.sock": true, "/run/d.sock/s": true, "/tmp/a:b": true}
	for address, want := range map[string]string{
		"http://h/a":                                "http://h/a",
		"unix:///run/x.sock/a/b?c=/d#e":             "unix:///run/x.sock:/a/b?c=/d",
		"unix:///run/x.sock":                        "unix:///run/x.sock:/",
		"unix:///run/x.sock/":                       "unix:///run/x.sock:/",
		"unix:///run/x.sock?a=b":                    "unix:///run/x.sock:/?a=b",
		"unix:///run/app/b/c":                       "unix:///run/app/b:/c", // the longest
		"unix:///run/app/c":                         "unix:///run/app:/c",
		"unix:///run/app:/b":                        "unix:///run/app:/b", // said
		"unix:///run/none:/b":                       "unix:///run/none:/b",
		"unix:///run/none:":                         "unix:///run/none:/",
		"unix:///run/d.sock/s/a":                    "unix:///run/d.sock/s:/a", // what is there comes before what is called so
		"unix:///tmp/a:b/c":                         "unix:///tmp/a:b:/c",
		"unix:///later.sock/a.sock/b":               "unix:///later.sock:/a.sock/b",
		"unix:///later.socket":                      "unix:///later.socket:/",
		"unix://later.sock/a":                       "unix://later.sock:/a",
		"unix:///later.sockets/a":                   "",
		"unix:///run/none/b?t=s3cret":               "",
		"unix://":                                   "",
		"unix://@name/of.sock":                      "",
		"unix://@name/of:/a":                        "unix://@name/of:/a",
		"unix:///run/x.sock/{{counter}}?u={{user}}": "unix:///run/x.sock:/{{counter}}?u={{user}}",
	} {
		got, err := socketURL(address, func(path string) bool { return there[path] })
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v; want %q", address, got, err, want)
		}
		var s status
		if err != nil && (!errors.As(err, &s) || s.code != exitUsage || !strings.Contains(err.Error(), "such as unix:///run/app.sock:/path") || strings.Contains(err.Error(), "s3cret")) {
			t.Errorf("%q: %v", address, err)
		}
	}
}

func TestIsSocket(t *testing.T) {
	dir, err := os.MkdirTemp("", "u")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	l, err := net.Listen("unix", filepath.Join(dir, "s"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	link := filepath.Join(dir, "link")
	if err := os.Symlink(filepath.Join(dir, "s"), link); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{filepath.Join(dir, "s"): true, link: true, dir: false, filepath.Join(dir, "none"): false} {
		if isSocket(path) != want {
			t.Errorf("%s: %v", path, !want)
		}
	}
}
