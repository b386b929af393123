package evidence

import (
	"testing"

	"github.com/unpark-go/unpark"
)

// TestClientsOfAHarness: the wait of a harness's worker for an answer is the request
// itself where the process answers it, and a wait for another service where it does not.
func TestClientsOfAHarness(t *testing.T) {
	const crew = " net/http.(*Client).Do example.com/shop/client.(*Node).Post@12 github.com/unpark-go/unpark/probe/probetest.(*crew).work github.com/unpark-go/unpark/probe/probetest.(*crew).start.gowrap1"
	asks := made{"runtime.selectgo net/http.(*persistConn).roundTrip" + crew, 90, 900}
	locks := made{"sync.(*Mutex).Lock example.com/shop/client.(*Node).pick@3" + crew, 2, 20}
	works := made{"sync.(*Mutex).Lock example.com/shop/store.(*Store).Put@7" + serve, 5, 50}
	calls := made{"runtime.selectgo net/http.(*persistConn).roundTrip net/http.(*Client).Do example.com/shop/rates.Fetch@30" + serve, 20, 200}
	parked := made{"runtime.gopark runtime.netpollblock internal/poll.runtime_pollWait internal/poll.(*FD).Read net.(*netFD).Read net.(*conn).Read bufio.(*Reader).Peek net/http.(*conn).serve", 8, 8}
	tests := []struct {
		name   string
		block  []made
		told   bool
		client unpark.Side
	}{
		{"client and service", []made{asks, locks, works, calls}, true, unpark.Background},
		{"a client alone", []made{asks, locks}, false, unpark.RequestPath},
	}
	for _, tt := range tests {
		ev, _, notices := Reduce(Input{
			Target: unpark.Target{Module: "example.com/shop"}, Window: window(10),
			Profiles:  single(profileOf(t, unpark.KindBlock, tt.block...)),
			Snapshots: repeat(3, profileOf(t, unpark.KindGoroutine, parked)), // a server without clients serves no requests
		})
		if told := hasNotice(notices, "client-in-process"); told != tt.told {
			t.Errorf("%s: told %t", tt.name, told)
		}
		got := waitsBy(ev)
		for key, side := range map[string]unpark.Side{
			"example.com/shop/client.(*Node).Post downstream": tt.client,
			"example.com/shop/client.(*Node).pick lock":       unpark.RequestPath,
		} {
			if w, ok := got[key]; !ok || w.Side != side {
				t.Errorf("%s: %s is on the side %q, want %q", tt.name, key, w.Side, side)
			}
		}
		if !tt.told {
			continue
		}
		for _, key := range []string{"example.com/shop/rates.Fetch downstream", "example.com/shop/store.(*Store).Put lock"} {
			if w, ok := got[key]; !ok || w.Side != unpark.RequestPath {
				t.Errorf("%s: %s is on the side %q", tt.name, key, w.Side)
			}
		}
	}
}
