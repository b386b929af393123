package bucket

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"os"
	"path"
	"strings"

	"github.com/unpark-go/unpark/internal/escape"
)

// scheme is what an address of a store begins with.
const scheme = "s3://"

// Is reports whether a name is the address of a store or of a run in one, and not of a directory.
func Is(name string) bool { return strings.HasPrefix(name, scheme) }

// address is where a store is. There is nothing secret in it.
type address struct {
	bucket, prefix string
	server         string // host and port
	secure         bool
	region         string
	query          string // as it was given, for messages
}

// amazon is the server where none is named.
const amazon = "s3.amazonaws.com"

// parse reads s3://bucket/prefix?endpoint=…&region=…&insecure. What it does not say is taken from the environment.
func parse(text string) (address, error) {
	bad := func(cause string) (address, error) {
		shown, _, _ := strings.Cut(text, "?") // what is behind it may hold what does not belong there
		if strings.Contains(shown, "@") {
			shown = scheme + "…"
		}
		return address{}, fmt.Errorf("store %s: %s", escape.Line(shown), cause)
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme+"://" != scheme {
		return bad("it is no address of a store: write it as s3://bucket/prefix")
	}
	if u.User != nil {
		return bad("credentials do not belong in an address: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE")
	}
	prefix := strings.Trim(u.Path, "/")
	if u.Host == "" || u.Port() != "" || prefix != "" && (path.Clean(prefix) != prefix || hiddenIn(prefix)) {
		return bad("write it as s3://bucket/prefix; another server is named by ?endpoint=host:port")
	}
	a := address{bucket: u.Host, prefix: prefix, server: amazon, secure: true, query: u.RawQuery}
	q, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return bad("what is behind the ? cannot be read: write ?endpoint=host:port&region=name&insecure")
	}
	for word := range q {
		if word != "endpoint" && word != "region" && word != "insecure" {
			return bad("of what is behind the ?, endpoint, region and insecure are known")
		}
	}
	a.region = cmp.Or(q.Get("region"), os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION"))
	if named := cmp.Or(q.Get("endpoint"), os.Getenv("UNPARK_S3_ENDPOINT"), os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL")); named != "" {
		if err := a.at(named, q.Has("insecure")); err != nil {
			return bad(err.Error())
		}
	}
	return a, nil
}

// hiddenIn reports an element that begins with a dot: those are the store's own.
func hiddenIn(name string) bool { return strings.HasPrefix(name, ".") || strings.Contains(name, "/.") }

// at sets the server. Requests without TLS leave this machine only where that is asked for.
func (a *address) at(named string, insecure bool) error {
	a.secure = !insecure
	if strings.Contains(named, "://") {
		u, err := url.Parse(named)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" {
			return errors.New("its endpoint cannot be read: write it as host:port, http://host:port or https://host:port")
		}
		if u.Scheme == "http" && !insecure && !loopback(u.Hostname()) {
			return errors.New("its endpoint is plain http on another machine, where others could read profiles: use https, or add insecure to the address")
		}
		a.secure, named = u.Scheme == "https", u.Host
	}
	if named == "" || strings.ContainsAny(named, "/@ ?#") {
		return errors.New("its endpoint cannot be read: write it as host:port, http://host:port or https://host:port")
	}
	a.server = named
	if a.region == "" && named != amazon {
		a.region = "us-east-1" // other servers do not mind, and asking takes a right of its own
	}
	return nil
}

func loopback(host string) bool {
	at, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && at.IsLoopback()
}

// String is the address without a run.
func (a address) String() string { return a.run("") }

// run is the address of a run.
func (a address) run(name string) string {
	out := scheme + path.Join(a.bucket, a.prefix, name)
	if a.query != "" {
		out += "?" + a.query
	}
	return escape.Line(out)
}

// parent splits the address of a run into that of the store and the run's name.
func (a address) parent() (address, string) {
	above, name := path.Split(a.prefix)
	a.prefix = strings.Trim(above, "/")
	return a, name
}
