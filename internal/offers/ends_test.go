package offers

import (
	"testing"

	"github.com/unpark-go/unpark"
)

// TestEnds: a client that keeps an answer when its body has been read to the end, and none that does so in Close as well, or keeps nothing.
func TestEnds(t *testing.T) {
	const (
		keeps = "// Transport is a RoundTripper that caches answers.\n"
		trip  = "type Transport struct{}\n\nfunc (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {\n\tresp.Body = &reader{resp.Body, t.store}\n\treturn resp, nil\n}\n\ntype reader struct{ r io.ReadCloser; atEnd func() }\n"
		end   = "\nfunc (r *reader) Read(p []byte) (n int, err error) {\n\tif n, err = r.r.Read(p); err == io.EOF {\n\t\tr.atEnd()\n\t}\n\treturn n, err\n}\n"
		shut  = "\nfunc (r *reader) Close() error { return r.r.Close() }\n"
	)
	for what, c := range map[string]struct {
		class      unpark.Class
		text, want string
	}{
		"at the end alone":                    {unpark.ClassDownstream, keeps + trip + end + shut, "Transport.RoundTrip reader atEnd"},
		"another class":                       {unpark.ClassAlloc, keeps + trip + end + shut, ""},
		"it closes as well":                   {unpark.ClassDownstream, keeps + trip + end + "\nfunc (r *reader) Close() error { r.atEnd(); return r.r.Close() }\n", ""},
		"it reads the rest when it is closed": {unpark.ClassDownstream, keeps + trip + end + "\nfunc (r *reader) Close() error { io.Copy(io.Discard, r); return r.r.Close() }\n", ""},
		"it keeps no answers":                 {unpark.ClassDownstream, trip + end + shut, ""},
		"nothing is done there":               {unpark.ClassDownstream, keeps + trip + shut, ""},
		"the body is left alone":              {unpark.ClassDownstream, keeps + "type Transport struct{}\n\nfunc (t *Transport) RoundTrip() {}\n", ""},
		"made by another function": {unpark.ClassDownstream, keeps + "type Transport struct{}\n\nfunc (t *Transport) RoundTrip() {\n\tresp.Body = wrap(resp.Body)\n}\n\nfunc wrap(b io.ReadCloser) *reader { return nil }\n\ntype reader struct{}\n" +
			end + shut, "Transport.RoundTrip reader atEnd"},
	} {
		all := stack("net/http.(*Transport).RoundTrip .(*Transport).RoundTrip net/http.(*Client).Do main.ask")
		got := ""
		for _, o := range of(t, c.text).For([]unpark.Finding{{Class: c.class, Path: all, Culprit: &all[1]}}) {
			if o.Kind == unpark.OfferEnd {
				got = o.Name + " " + o.Type + " " + o.Calls
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
}
