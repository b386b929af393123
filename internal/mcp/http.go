package mcp

import (
	"crypto/subtle"
	"net"
	"net/http"
	"net/url"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Handler serves clients over HTTP that know the token, at an address of this machine alone. A page of another site that
// a browser shows on this machine is refused: by Origin, and by Host, whose name it may have had answered with 127.0.0.1.
func (s *Server) Handler(token string) http.Handler {
	inner := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.sdk }, &sdk.StreamableHTTPOptions{SessionTimeout: lonely})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		switch {
		case !ofThisMachine(r.Host):
			http.Error(w, "unpark mcp: it is asked for by another name than this machine's: use 127.0.0.1", http.StatusForbidden)
		case !sameOrigin(r):
			http.Error(w, "unpark mcp: a page of another site asks: only programs with the token may", http.StatusForbidden)
		case !ok || subtle.ConstantTimeCompare([]byte(given), []byte(token)) != 1:
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "unpark mcp: the token that it printed at its start is missing: Authorization: Bearer TOKEN", http.StatusUnauthorized)
		default:
			s.jobs.heard()
			inner.ServeHTTP(w, r)
			s.jobs.heard()
		}
	})
}

func ofThisMachine(hostport string) bool {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = hostport
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func sameOrigin(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Host == r.Host
}
