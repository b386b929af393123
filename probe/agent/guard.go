package agent

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"strings"
	"time"
)

// guard decides who may ask. A socket is guarded by its mode alone.
type guard struct {
	tcp   bool
	token string
}

func (a *address) guard(token string) guard {
	return guard{tcp: a.network == "tcp", token: token}
}

// refuse returns the status and reason to turn a request down with; 0 to serve it.
func (g guard) refuse(r *http.Request) (int, string) {
	if r.Method != http.MethodGet {
		return http.StatusMethodNotAllowed, "only GET is served here"
	}
	if !g.tcp {
		return 0, ""
	}
	if g.token != "" {
		if !sameSecret(bearer(r), g.token) {
			return http.StatusUnauthorized, "send the token of " + EnvToken + " as Authorization: Bearer TOKEN"
		}
		return 0, ""
	}
	// Without a token any page in a browser on this machine could ask: refuse
	// names that an attacker's name server may have pointed at loopback, and
	// requests that a browser makes for another site.
	if !loopbackHost(r.Host) {
		return http.StatusForbidden, "ask by a loopback address or localhost, not by another name"
	}
	if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
		return http.StatusForbidden, "another site may not ask"
	}
	return 0, ""
}

func bearer(r *http.Request) string {
	const scheme = "bearer "
	value := r.Header.Get("Authorization")
	if len(value) < len(scheme) || !strings.EqualFold(value[:len(scheme)], scheme) {
		return ""
	}
	return strings.TrimSpace(value[len(scheme):])
}

// sameSecret takes the same time wherever the texts differ; hashing first hides
// their lengths too.
func sameSecret(got, want string) bool {
	g, w := sha256.Sum256([]byte(got)), sha256.Sum256([]byte(want))
	return subtle.ConstantTimeCompare(g[:], w[:]) == 1
}

func loopbackHost(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.Trim(host, "[]")
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}

// handler is everything that the agent serves, behind the guard. The patterns
// have no methods: with an old go directive the service runs with
// GODEBUG=httpmuxgo121=1, which would take a method for part of the path.
func (a *Agent) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", a.pprof)
	mux.HandleFunc("/debug/unpark/info", a.info)
	mux.HandleFunc("/debug/unpark/metrics", a.metrics)
	mux.HandleFunc("/debug/unpark/vitals", a.vitals)
	mux.HandleFunc("/debug/unpark/lease", a.lease)
	mux.HandleFunc("/debug/unpark/lease/renew", a.renew)
	mux.HandleFunc("/debug/unpark/flight", a.flightLease)
	mux.HandleFunc("/debug/unpark/flight/snapshot", a.flightSnapshot)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		if status, why := a.guard.refuse(r); status != 0 {
			switch status {
			case http.StatusUnauthorized:
				w.Header().Set("WWW-Authenticate", "Bearer")
			case http.StatusMethodNotAllowed:
				w.Header().Set("Allow", http.MethodGet)
			}
			serveError(w, status, why)
			return
		}
		if !a.enter() {
			serveError(w, http.StatusServiceUnavailable, "the probe is closing")
			return
		}
		defer a.leave()
		setDeadline(w, slack) // also takes back what the request before on this connection had set
		mux.ServeHTTP(w, r)
	})
}

// slack is how long a client may take to read an answer. One that is stopped, not
// gone, must not hold a trace for ever: trace.Stop waits for the last write.
const slack = time.Minute

// setDeadline bounds the writes of an answer; 0 takes the bound away. A failure
// would only mean that a stopped client is waited for longer.
func setDeadline(w http.ResponseWriter, d time.Duration) {
	var at time.Time
	if d > 0 {
		at = time.Now().Add(d)
	}
	_ = http.NewResponseController(w).SetWriteDeadline(at)
}

// serveError answers as net/http/pprof does: its clients print the text of an
// answer that has this header.
func serveError(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Go-Pprof", "1")
	w.Header().Del("Content-Disposition")
	w.WriteHeader(status)
	w.Write([]byte(text + "\n"))
}
