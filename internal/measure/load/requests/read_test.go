package requests_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load/requests"
)

// files is what open finds in these tests.
func files(content map[string]string) func(string) ([]byte, error) {
	return func(path string) ([]byte, error) {
		if s, ok := content[path]; ok {
			return []byte(s), nil
		}
		return nil, fmt.Errorf("open %s: %w", path, fs.ErrNotExist)
	}
}

type header = map[string][]string

func TestReadFormats(t *testing.T) {
	open := files(map[string]string{
		filepath.Join("lists", "body.json"): `{"a":1}`,
		filepath.Join("other", "b.txt"):     "b",
	})
	if abs, err := filepath.Abs("b.txt"); err == nil {
		open = both(open, files(map[string]string{abs: "absolute"}))
	}
	for _, c := range []struct {
		name, text string
		want       []unpark.Request
	}{
		{"URLs", "http://h/a\n\nhttp://h/b\r\n# comment\nhttp://h/a\n", []unpark.Request{
			{Method: "GET", URL: "http://h/a", Weight: 2}, {Method: "GET", URL: "http://h/b", Weight: 1},
		}},
		{"weights and methods", "9*http://h/a\n0.5*POST http://h/a\nDELETE  http://h/a\n1*http://h/a", []unpark.Request{
			{Method: "GET", URL: "http://h/a", Weight: 10}, {Method: "POST", URL: "http://h/a", Weight: 0.5}, {Method: "DELETE", URL: "http://h/a", Weight: 1},
		}},
		{"vegeta", "GET http://h/a\nX-Id: 1\nx-id: 2\nHost: other\n\n# one\nPOST http://h/b\nContent-Type: application/json\n# two\n@body.json\n\nPUT http://h/c\n@../other/b.txt\nGET http://h/d\n", []unpark.Request{
			{Method: "GET", URL: "http://h/a", Header: header{"X-Id": {"1", "2"}, "Host": {"other"}}, Weight: 1},
			{Method: "POST", URL: "http://h/b", Header: header{"Content-Type": {"application/json"}}, Body: []byte(`{"a":1}`), Weight: 1},
			{Method: "PUT", URL: "http://h/c", Body: []byte("b"), Weight: 1},
			{Method: "GET", URL: "http://h/d", Weight: 1},
		}},
		{"templates", "GET http://h:{{port}}/{{ user }}?n={{counter}}\n", []unpark.Request{
			{Method: "GET", URL: "http://h:{{port}}/{{ user }}?n={{counter}}", Weight: 1},
		}},
		{"percent signs", "http://h/%20?q=100%25\nhttp://h/%20?q=100%25", []unpark.Request{{Method: "GET", URL: "http://h/%20?q=100%25", Weight: 2}}},
		{"JSON lines", `{"method":"POST","url":"http://h/a","body":"Rk9P","header":{"content-type":["text/plain"],"content-length":["3"]}}` + "\n\n" +
			`{"url":"http://h/b"}` + "\n" + `{"header":{"Content-Type":["text/plain"]},"method":"POST","body":"Rk9P","url":"http://h/a"}`, []unpark.Request{
			{Method: "POST", URL: "http://h/a", Header: header{"Content-Type": {"text/plain"}}, Body: []byte("FOO"), Weight: 2},
			{Method: "GET", URL: "http://h/b", Weight: 1},
		}},
		{"byte order mark", "\ufeffhttp://h/a", []unpark.Request{{Method: "GET", URL: "http://h/a", Weight: 1}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := requests.Read(filepath.Join("lists", "targets.txt"), strings.NewReader(c.text), open)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got  %+v\nwant %+v", got, c.want)
			}
		})
	}
}

func both(a, b func(string) ([]byte, error)) func(string) ([]byte, error) {
	return func(path string) ([]byte, error) {
		if data, err := a(path); err == nil {
			return data, nil
		}
		return b(path)
	}
}

func TestReadHAR(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "browser.har"))
	if err != nil {
		t.Fatal(err)
	}
	want := []unpark.Request{
		{Method: "GET", URL: "https://example.test/app?q=1", Header: header{"Accept": {"text/html"}, "Cookie": {"session=abc"}}, Weight: 2},
		{Method: "POST", URL: "https://example.test/form", Header: header{"Content-Type": {"application/x-www-form-urlencoded"}}, Body: []byte("a+b=1%262&c="), Weight: 1},
		{Method: "POST", URL: "https://example.test/api", Header: header{"Host": {"other.test"}}, Body: []byte(`{"a":1}`), Weight: 1},
	}
	for _, name := range []string{"browser.har", "recording.json"} {
		got, err := requests.Read(name, strings.NewReader(string(data)), nil)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got  %+v\nwant %+v", name, got, want)
		}
	}
}

func TestReadErrors(t *testing.T) {
	const har = `{"log":{"entries":[` + "\n"
	for _, c := range []struct{ text, want string }{
		{"", "l.txt: it holds no request"},
		{"# nothing\n", "l.txt: it holds no request"},
		{"http://h/\n\n\n\n\n\nGTE http://h/a", `l.txt:7: "GTE http://h/a": not a method such as GET or POST`},
		{"get http://h/a", `l.txt:1: "get http://h/a": not a method such as GET or POST; write GET`},
		{"CONNECT h:80", `not a method such as GET`},
		{"http://h/\nGET /path", `l.txt:2: "GET /path": needs http:// or https:// and a host`},
		{"GET ftp://h/", "needs http:// or https://"},
		{"ftp://h/", "needs http:// or https://"},
		{"example.test", "needs http:// or https://"},
		{"localhost:8080/x", "a header before any request; a URL begins with http://"},
		{"http://h/\nlocalhost:8080/x", `l.txt:2: "localhost:8080/x": is it a URL? Then write http:// before it`},
		{"GET http://h/a b", "a URL has no spaces; write %20"},
		{"GET http://h:x/", "not a URL: invalid port"},
		{"GET http://u:secret@h:x/", `l.txt:1: "GET http://xxxxx@h:x/": not a URL: it cannot be parsed`},
		{"GET http://h/?t=secret b", `"GET http://h/?t=xxxxx b": a URL has no spaces`},
		{"Authorization: secret", `l.txt:1: "Authorization: …": a header before any request`},
		{"0*http://h/", "the weight 0 is not a number above 0"},
		{"1.2.3*http://h/", "the weight 1.2.3 is not a number"},
		{"@body", `l.txt:1: "@body": a body before any request`},
		{"POST http://h/\n@", "the name of the body file is missing"},
		{"POST http://h/\n@none.json", `l.txt:2: "@none.json": read body: open none.json: file does not exist`},
		{"POST http://h/\n@b\n@b", "l.txt:3: \"@b\": a second body"},
		{"POST http://h/\n@b\nX: 1", "l.txt:3: \"X: …\": a header after the body"},
		{"GET http://h/\nX: a\x01b", "control characters"},
		{`{"url":"http://h/"}` + "\n" + `{"url":`, `l.txt:2: "{\"url\":": not a target in JSON`},
		{`{"method":"GTE","url":"http://h/"}`, "the method is not one such as GET or POST"},
		{`{"method":"GET"}`, `the key "url" is missing`},
		{`{"url":"http://h/","body":"*"}`, "illegal base64"},
		{`{"url":"http://h/","header":{"a\r\nb":["c"]}}`, "the header name"},
		{`{"url":"http://h/","header":{"a":["c\r\nd"]}}`, "control characters"},
		{`{"log":1}`, "l.txt:1: HAR: 1 where \"{\" was expected"},
		{`{"log":{}}`, "log.entries is missing"},
		{`{"log":{"entries":[]}}`, "it holds no request"},
		{har + `{"request":{"method":"GET","url":"http://h/"}},` + "\n\n" + `{"request":{"method":"GET","url":"http:///x"}}]}}`, `l.txt:4: entry 2: URL "http:///x": needs a host`},
		{har + `{"request":{"method":"G T","url":"http://h/"}}]}}`, `l.txt:2: entry 1: "G T" is not a method`},
		{har + `{"request":{"method":"POST","url":"http://u:secret@h/","bodySize":9}}]}}`, "does not hold its body"},
		{har + `{"request":5}]}}`, "l.txt:2: HAR: entry 1: json: cannot unmarshal"},
		{har + `{"request":{"method":"GET","url":"http://h/"}}`, "l.txt:2: HAR: "},
		{`{"log":{"entries":[]}`, "HAR: EOF"},
	} {
		_, err := requests.Read("l.txt", strings.NewReader(c.text), files(map[string]string{"b": "B"}))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "l.txt") {
			t.Errorf("%q:\ngot  %v\nwant %s", c.text, err, c.want)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: the error tells a password: %v", c.text, err)
		}
	}
}

func TestReadBounds(t *testing.T) {
	big := func(string) ([]byte, error) { return make([]byte, 40<<20), nil }
	same := strings.Repeat("POST http://h/\n@a\n", 1000)
	if got, err := requests.Read("l", strings.NewReader(same), big); err != nil || len(got) != 1 || got[0].Weight != 1000 {
		t.Errorf("one file named a thousand times: %d requests, %v", len(got), err)
	}
	if _, err := requests.Read("l", strings.NewReader(same+"PUT http://h/\n@b\n"), big); err == nil || !strings.Contains(err.Error(), "l:2002: \"@b\": the bodies are longer than 64 MB") {
		t.Errorf("too many bodies: %v", err)
	}
	if _, err := requests.Read("l", strings.NewReader("POST http://h/\n@a"), nil); err == nil || !strings.Contains(err.Error(), "cannot be read here") {
		t.Errorf("no open: %v", err)
	}
	if testing.Short() {
		t.Skip("long lists")
	}
	if _, err := requests.Read("l", strings.NewReader(strings.Repeat("http://h/\n", 1_000_001)), nil); err == nil || !strings.Contains(err.Error(), "more than 1000000 requests") {
		t.Errorf("too many requests: %v", err)
	}
	if _, err := requests.Read("l", strings.NewReader(strings.Repeat("#", 64<<20+1)), nil); err == nil || !strings.Contains(err.Error(), "longer than 64 MB") {
		t.Errorf("too long: %v", err)
	}
}

var errDisk = errors.New("disk")

func TestReadPassesErrors(t *testing.T) {
	_, err := requests.Read("l", strings.NewReader("POST http://h/\n@a"), func(string) ([]byte, error) { return nil, errDisk })
	if !errors.Is(err, errDisk) {
		t.Errorf("the cause is lost: %v", err)
	}
}

// FuzzRead: what is read without an error can be sent.
func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"http://h/a\n9*POST http://h/b\nX: 1\n@f\n\nGET https://h/{{counter}}",
		`{"method":"POST","url":"http://h/a","body":"Rk9P","header":{"a":["b"]}}` + "\n" + `{"url":"http://h/"}`,
		`{"log":{"entries":[{"request":{"method":"GET","url":"http://h/","headers":[{"name":"a","value":"b"}],"postData":{"text":"x"}}}]}}`,
		"GTE http://h", "{{", "*http://h", "@", ":", "{\"log\":{\"entries\":[}",
	} {
		f.Add([]byte(s))
	}
	if data, err := os.ReadFile(filepath.Join("testdata", "browser.har")); err == nil {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		open := func(path string) ([]byte, error) { return []byte(path), nil }
		got, err := requests.Read("l", strings.NewReader(string(data)), open)
		if err != nil {
			if !strings.Contains(err.Error(), "l:") {
				t.Fatalf("no file in the error: %v", err)
			}
			return
		}
		if len(got) == 0 {
			t.Fatal("nothing, and no error")
		}
		for _, r := range got {
			if r.Method == "" || strings.ContainsAny(r.Method, " \r\n") || !strings.Contains(r.URL, "://") || strings.ContainsAny(r.URL, "\r\n") || !(r.Weight > 0) {
				t.Fatalf("not to be sent: %+v", r)
			}
			for name := range maps.Keys(r.Header) {
				if strings.ContainsAny(name+strings.Join(r.Header[name], ""), "\r\n\x00") {
					t.Fatalf("header breaks out: %q", r.Header)
				}
			}
		}
	})
}
