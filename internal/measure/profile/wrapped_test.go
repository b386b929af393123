package profile

import (
	"testing"

	"github.com/unpark-go/unpark"
)

// TestWrappedConnections: methods of the program's own around a connection lie between net/http's server
// and the net. What waits there waits for the client; a wait of the wrapper's own is its own.
func TestWrappedConnections(t *testing.T) {
	const wrapped = netRead + "example.com/shop.(*counted).Read "
	const write = parkGo + "runtime.netpollblock internal/poll.runtime_pollWait internal/poll.(*FD).Write net.(*netFD).Write net.(*conn).Write example.com/shop.(*counted).Write "
	for _, tt := range []struct {
		name, stack string
		class       unpark.WaitClass
		idle        bool
		app         string
	}{
		{"between requests", wrapped + "net/http.(*connReader).Read bufio.(*Reader).fill bufio.(*Reader).Peek net/http.(*conn).serve", unpark.WaitNetwork, true, ""},
		{"watching for the client", wrapped + "net/http.(*connReader).backgroundRead", unpark.WaitNetwork, true, ""},
		{"the body of a request", wrapped + "net/http.(*connReader).Read bufio.(*Reader).Read net/http.(*body).Read example.com/shop.upload" + serve, unpark.WaitNetwork, false, "example.com/shop.upload"},
		{"an answer", write + "net/http.checkConnErrorWriter.Write bufio.(*Writer).Flush net/http.(*response).Write example.com/shop.list" + serve, unpark.WaitNetwork, false, "example.com/shop.list"},
		{"another service, over such a connection", wrapped + "example.com/shop.ask example.com/shop.list" + serve, unpark.WaitDownstream, false, "example.com/shop.(*counted).Read"},
		{"a pause that the wrapper makes", parkGo + "time.Sleep example.com/shop.(*slow).Read net/http.(*connReader).Read bufio.(*Reader).Read net/http.(*body).Read example.com/shop.upload" + serve, unpark.WaitSleep, false, "example.com/shop.(*slow).Read"},
	} {
		for _, module := range []string{"", "example.com/shop"} {
			stack := sites(tt.stack)
			l := NewCatalogue(module).Label(unpark.KindGoroutine, stack)
			app := ""
			if l.App >= 0 {
				app = stack[l.App].Function
			}
			if l.Class != tt.class || l.Idle != tt.idle || app != tt.app {
				t.Errorf("%s, module %q: %s idle %v app %q, want %s idle %v app %q", tt.name, module, l.Class, l.Idle, app, tt.class, tt.idle, tt.app)
			}
		}
	}
}
