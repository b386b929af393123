package h1

import "testing"

func TestFirst(t *testing.T) {
	var p Parser
	in := "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhelloHTTP"
	n, done, err := p.Feed([]byte(in))
	if n != len(in)-4 || !done || err != nil || p.Status() != 200 || p.Body() != 5 || !p.KeepAlive() {
		t.Fatal(n, done, err, p)
	}
}
