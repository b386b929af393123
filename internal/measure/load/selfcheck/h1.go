package selfcheck

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
)

// serveH1 answers requests of HTTP/1.1 until the client goes. As h2Conn, it exists
// to be cheap: a server of net/http needs twice as long for the requests of a freeze.
func serveH1(c net.Conn, b *book) {
	page := fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	head := page[:len(page)-len(body)]
	in := bufio.NewReaderSize(c, h2Buffer)
	for {
		r, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return
		}
		answer := page
		switch {
		case r.URL.Path == statsPath:
			answer = stats(b)
		case r.Method == http.MethodHead:
			b.serve()
			answer = head
		default:
			b.serve()
		}
		if _, err := c.Write(answer); err != nil || r.Close {
			return
		}
	}
}

// stats tells what the server knows, and forgets it.
func stats(b *book) []byte {
	text, err := json.Marshal(b.take())
	if err != nil { // of three numbers
		text = []byte("{}")
	}
	return fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(text), text)
}
