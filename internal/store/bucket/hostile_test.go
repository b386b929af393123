package bucket

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAddress(t *testing.T) {
	t.Setenv("UNPARK_S3_ENDPOINT", "")
	t.Setenv("AWS_ENDPOINT_URL", "")
	t.Setenv("AWS_ENDPOINT_URL_S3", "")
	t.Setenv("AWS_REGION", "")
	t.Setenv("AWS_DEFAULT_REGION", "")
	for _, c := range []struct{ text, want string }{
		{"s3://b", "{b  s3.amazonaws.com true  }"},
		{"s3://b/p/q/", "{b p/q s3.amazonaws.com true  }"},
		{"s3://b/p?region=eu-1", "{b p s3.amazonaws.com true eu-1 region=eu-1}"},
		{"s3://b/p?endpoint=h:9000", "{b p h:9000 true us-east-1 endpoint=h:9000}"},
		{"s3://b/p?endpoint=h:9000&insecure", "{b p h:9000 false us-east-1 endpoint=h:9000&insecure}"},
		{"s3://b/p?endpoint=http://127.0.0.1:9000", "{b p 127.0.0.1:9000 false us-east-1 endpoint=http://127.0.0.1:9000}"},
		{"s3://b/p?endpoint=http://h:9000", "plain http on another machine"},
		{"s3://b/p?endpoint=http://k:" + secret + "@h:9000", "cannot be read"},
		{"s3://k:" + secret + "@b/p", "credentials do not belong in an address"},
		{"s3://b/p?secret=" + secret, "endpoint, region and insecure are known"},
		{"s3://", "s3://bucket/prefix"},
		{"s3:///p", "s3://bucket/prefix"},
		{"s3://b/p/../q", "s3://bucket/prefix"},
		{"s3://b/.unpark", "s3://bucket/prefix"},
		{"s3://b:9000/p", "?endpoint=host:port"},
	} {
		a, err := parse(c.text)
		got := fmt.Sprint(struct {
			a, b, c string
			d       bool
			e, f    string
		}{a.bucket, a.prefix, a.server, a.secure, a.region, a.query})
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) || strings.Contains(got, secret) && err != nil {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
	if _, _, err := OpenRun("s3://b"); err == nil || !strings.Contains(err.Error(), "names no run") {
		t.Errorf("%v", err)
	}
	st, run, err := OpenRun("s3://b/p/r1?region=eu")
	if err != nil || run != "r1" || st.String() != "s3://b/p?region=eu" || st.Address("r1") != "s3://b/p/r1?region=eu" {
		t.Error(st, run, err)
	}
}

func TestSurvey(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"r1", map[string]string{"notes.txt": ""}, "neither a run nor an experiment"},
		{".r1", usualFiles, "is no name for a run"},
		{"r1", map[string]string{"before/run.json": "{}", "rounds.jsonl": "", ".hidden/x": "", "run.json.tmp": ""}, ""},
	} {
		_, m, err := survey(newRun(t, c.name, c.files))
		if c.want == "" && (err != nil || len(m.Files) != 2) || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %+v, %v", c.name, m, err)
		}
	}
	dir := newRun(t, "r1", usualFiles)
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "window-01", "link")); err != nil {
		t.Skip(err)
	}
	if _, _, err := survey(dir); err == nil || !strings.Contains(err.Error(), "no regular file") {
		t.Errorf("a link was followed: %v", err)
	}
}

func TestHostileManifest(t *testing.T) {
	sum := strings.Repeat("0", 64)
	for _, c := range []struct{ text, want string }{
		{`{`, "it is damaged"},
		{`{"schema":"x"}`, "not known to this unpark"},
		{`{"schema":"unpark.manifest/v1","run":"r2"}`, "of another run"},
		{file("../x", 1, sum), "no name for a file"},
		{file("/etc/passwd", 1, sum), "no name for a file"},
		{file("a/../../x", 1, sum), "no name for a file"},
		{file(".unpark/x", 1, sum), "no name for a file"},
		{file(`a\\b`, 1, sum), "no name for a file"},
		{file(strings.Repeat("a", longestFile+1), 1, sum), "no name for a file"},
		{file("a", -1, sum), "cannot be right"},
		{file("a", maxFile+1, sum), "cannot be right"},
		{file("a", 1, "zz"), "cannot be right"},
		{`{"schema":"unpark.manifest/v1","run":"r1","files":[{"name":"a","sha256":"` + sum + `"},{"name":"a","sha256":"` + sum + `"}]}`, "twice"},
		{strings.Repeat(" ", maxManifest+1), "larger than 16 MB"},
	} {
		if _, err := decodeManifest(strings.NewReader(c.text), "r1"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60s: %v, want %s", c.text, err, c.want)
		}
	}
}

func TestRunNames(t *testing.T) {
	for name, ok := range map[string]bool{"20261124-230000.000": true, "": false, ".": false, "..": false, ".unpark": false, "a/b": false, `a\b`: false, strings.Repeat("a", longestRun+1): false} {
		if (checkRun(name) == nil) != ok {
			t.Errorf("%q", name)
		}
	}
}

func file(name string, size int64, sum string) string {
	return fmt.Sprintf(`{"schema":"unpark.manifest/v1","run":"r1","files":[{"name":"%s","size":%d,"sha256":"%s"}]}`, name, size, sum)
}

// What is read of a manifest names files within a run alone, and is written as it was read.
func FuzzManifest(f *testing.F) {
	f.Add([]byte(file("window-01/7/cpu.pb.gz", 3, strings.Repeat("0", 64))))
	f.Add([]byte(file("../x", 3, strings.Repeat("f", 64))))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := decodeManifest(bytes.NewReader(text), "r1")
		if err != nil {
			return
		}
		for _, e := range m.Files {
			if !filepath.IsLocal(filepath.FromSlash(e.Name)) || strings.HasPrefix(e.Name, ".") {
				t.Errorf("%q leads elsewhere", e.Name)
			}
		}
		body, err := m.encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := decodeManifest(body, "r1")
		if err != nil || !again.same(m) {
			t.Errorf("read again: %v", err)
		}
	})
}
