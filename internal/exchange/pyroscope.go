package exchange

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strings"

	"connectrpc.com/connect"
	"github.com/grafana/pyroscope/api/gen/proto/go/push/v1/pushv1connect"
	"github.com/grafana/pyroscope/api/gen/proto/go/querier/v1/querierv1connect"

	"github.com/unpark-go/unpark/internal/escape"
)

// Pyroscope is a server of it.
type Pyroscope struct {
	address string
	query   querierv1connect.QuerierServiceClient
	push    pushv1connect.PusherServiceClient
}

// NewPyroscope makes a client of the server at a URL. Credentials come from the environment, or from files that it names:
// UNPARK_PYROSCOPE_TOKEN (bearer), or UNPARK_PYROSCOPE_USER and UNPARK_PYROSCOPE_PASSWORD (basic), each also with _FILE; and
// UNPARK_PYROSCOPE_TENANT. They are sent over TLS, or to this machine. Nothing is sent yet.
func NewPyroscope(address string) (*Pyroscope, error) {
	u, err := server("Pyroscope", address)
	if err != nil {
		return nil, err
	}
	h, err := credentials(u)
	if err != nil {
		return nil, err
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }} // credentials stay here
	add := connect.UnaryInterceptorFunc(func(next connect.UnaryFunc) connect.UnaryFunc {
		return func(ctx context.Context, r connect.AnyRequest) (connect.AnyResponse, error) {
			for name, values := range h {
				r.Header()[name] = values
			}
			return next(ctx, r)
		}
	})
	o := []connect.ClientOption{connect.WithInterceptors(add), connect.WithReadMaxBytes(maxMessage), connect.WithSendGzip()}
	base := strings.TrimSuffix(u.String(), "/")
	return &Pyroscope{
		u.Redacted(), querierv1connect.NewQuerierServiceClient(client, base, o...), pushv1connect.NewPusherServiceClient(client, base, o...),
	}, nil
}

// server reads the address of a server that is spoken to over HTTP.
func server(what, address string) (*url.URL, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, fmt.Errorf("%s is no address of a server: write it as https://host:port", escape.Line(what))
	case u.User != nil:
		return nil, fmt.Errorf("the address of %s has credentials in it: they belong in the environment, where no list of processes shows them", what)
	}
	return u, nil
}

// credentials are headers.
func credentials(u *url.URL) (http.Header, error) {
	h := http.Header{}
	token, err := secret("UNPARK_PYROSCOPE_TOKEN")
	if err != nil {
		return nil, err
	}
	password, err := secret("UNPARK_PYROSCOPE_PASSWORD")
	if err != nil {
		return nil, err
	}
	user, err := secret("UNPARK_PYROSCOPE_USER")
	if err != nil {
		return nil, err
	}
	switch {
	case token != "" && (user != "" || password != ""):
		return nil, errors.New("both a token and a password for Pyroscope are set: unset UNPARK_PYROSCOPE_TOKEN, or the user and the password")
	case token != "":
		h.Set("Authorization", "Bearer "+token)
	case user != "" || password != "":
		r := &http.Request{Header: h}
		r.SetBasicAuth(user, password)
	}
	if h.Get("Authorization") != "" && u.Scheme == "http" && !local(u.Hostname()) {
		return nil, fmt.Errorf("%s is plain http on another machine: credentials are sent over https alone", escape.Line(u.Redacted()))
	}
	if tenant := os.Getenv("UNPARK_PYROSCOPE_TENANT"); tenant != "" {
		h.Set("X-Scope-OrgID", tenant)
	}
	return h, nil
}

func local(host string) bool {
	at, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && at.IsLoopback()
}

// secret is a variable of the environment, or what is in the file that the one with _FILE names.
func secret(name string) (string, error) {
	file := os.Getenv(name + "_FILE")
	if file == "" {
		return os.Getenv(name), nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("read %s_FILE: %w: name a file that you may read", name, err)
	}
	return strings.TrimSpace(string(text)), nil
}

// explain says what an error of the server means.
func (p *Pyroscope) explain(operation string, err error) error {
	said := escape.Prose(err.Error())
	var e *connect.Error
	if errors.As(err, &e) {
		said = escape.Prose(e.Message())
	}
	cure := "check the address: it is that of the server, without a path of its API"
	switch connect.CodeOf(err) {
	case connect.CodeUnauthenticated, connect.CodePermissionDenied:
		cure = "set UNPARK_PYROSCOPE_TOKEN, or UNPARK_PYROSCOPE_USER and UNPARK_PYROSCOPE_PASSWORD, or the tenant in UNPARK_PYROSCOPE_TENANT"
	case connect.CodeInvalidArgument, connect.CodeOutOfRange, connect.CodeFailedPrecondition:
		cure = "its limits are the server's: ask for less, or change them there"
	case connect.CodeResourceExhausted:
		cure = "ask for a shorter range"
	}
	return fmt.Errorf("%s %s: %s: %w", operation, escape.Line(p.address), said, answered{cure, err})
}

// answered is an error whose text is what to do.
type answered struct {
	cure string
	err  error
}

func (a answered) Error() string { return a.cure }
func (a answered) Unwrap() error { return a.err }
