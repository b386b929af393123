package web

import (
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"
)

// policy is what the server's own pages may do: nothing but with what it serves itself.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// framed is for pages of package report, which say the rest in themselves, by the digests of their script and style.
const framed = "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

// guard answers only who asks this server by its own name, from its own pages, with the key. Everybody on the machine can reach a
// loopback address, and so can the pages of any site in the user's browser.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		if !s.ours(r.Host) {
			http.Error(w, "This is unpark ui. Ask for it by the address that it printed.", http.StatusMisdirectedRequest)
			return
		}
		if !sameOrigin(r) {
			http.Error(w, "Another site asked for this: refused.", http.StatusForbidden)
			return
		}
		if key := r.URL.Query().Get("key"); key != "" && r.Method == http.MethodGet && equal(key, s.key) {
			s.admit(w, r)
			return
		}
		if c, err := r.Cookie(s.cookie()); err != nil || !equal(c.Value, s.session) {
			http.Error(w, "Open the address that unpark ui printed: it has the key to these runs.", http.StatusForbidden)
			return
		}
		s.touch()
		next.ServeHTTP(w, r)
	})
}

// sameOrigin reports whether a request was made by a page of this server, or by no page: what changes something says by which.
func sameOrigin(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin != "" {
		return origin == "http://"+r.Host
	}
	return r.Method == http.MethodGet || r.Method == http.MethodHead
}

// admit exchanges the key for a cookie, and the address for one without it.
func (s *Server) admit(w http.ResponseWriter, r *http.Request) {
	http.SetCookie(w, &http.Cookie{Name: s.cookie(), Value: s.session, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
	to := url.URL{Path: r.URL.Path}
	q := r.URL.Query()
	q.Del("key")
	to.RawQuery = q.Encode()
	if len(to.Path) > 1 && to.Path[1] == '/' { // another host, to a browser
		to.Path = "/"
	}
	http.Redirect(w, r, to.String(), http.StatusSeeOther)
}

// cookie is its name: cookies of one host are shared by its ports.
func (s *Server) cookie() string {
	_, port, err := net.SplitHostPort(s.host)
	if err != nil {
		port = "0"
	}
	return fmt.Sprintf("unpark-ui-%s", port)
}

func equal(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// touch notes that a page is open.
func (s *Server) touch() {
	s.mu.Lock()
	s.asked = time.Now()
	s.mu.Unlock()
}
