package main

import (
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
)

// overTLS: the connection's goroutine reads through crypto/tls.
func overTLS(b *bench) { secure(b, false) }

// overHTTP2: every stream has a goroutine of its own, that of the connection moves
// frames.
func overHTTP2(b *bench) { secure(b, true) }

func secure(b *bench, http2 bool) {
	b.handle("/retry", func(*http.Request) { retry() })
	srv := httptest.NewUnstartedServer(b.mux)
	srv.Config.ConnState = b.watch
	srv.EnableHTTP2 = http2
	srv.StartTLS()
	b.get = func(path string) error { return get(srv.Client(), srv.URL+path) }
	b.warm(2)
	b.record()
	b.ask("/retry", "/retry", "/retry")
	b.must(shakeHands(srv))
	b.stop(0)
	srv.Close()
}

// shakeHands opens a connection and asks for nothing on it.
func shakeHands(srv *httptest.Server) error {
	config := srv.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
	config.ServerName = "example.com" // that the server's certificate is for
	conn, err := tls.Dial("tcp", srv.Listener.Addr().String(), config)
	if err != nil {
		return err
	}
	return conn.Close()
}

func get(client *http.Client, url string) error {
	answer, err := client.Get(url)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("get %s: %s", url, answer.Status)
	}
	_, err = io.Copy(io.Discard, answer.Body)
	return err
}
