package main

import (
	"net/url"
	"os"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load"
)

// ownFiles is what the generator has open beside its connections: standard
// streams, pollers, timers, what a resolver needs for a moment.
const ownFiles = 32

// room is what this machine lets a generator open; unknown where it cannot be
// told.
type room struct {
	files     unpark.Number // the hard limit on open files: Go raises the soft one to it
	low, high unpark.Number // local ports
}

func roomHere() room {
	r := room{files: mostFiles()}
	if text, err := os.ReadFile("/proc/sys/net/ipv4/ip_local_port_range"); err == nil {
		r.low, r.high = parsePorts(string(text))
	}
	return r
}

// parsePorts reads "32768	60999\n".
func parsePorts(text string) (low, high unpark.Number) {
	f := strings.Fields(text)
	if len(f) != 2 {
		return low, high
	}
	a, errA := strconv.ParseUint(f[0], 10, 16)
	b, errB := strconv.ParseUint(f[1], 10, 16)
	if errA != nil || errB != nil || a > b {
		return low, high
	}
	return unpark.Num(float64(a)), unpark.Num(float64(b))
}

// check refuses a plan that cannot have its connections. Each of them is one
// for every address of the plan; local ports are counted for each address
// alone, because the kernel uses one again towards another address.
func (r room) check(plan unpark.Plan) error {
	connections := 0
	for _, level := range plan.Plans() { // of a sweep over rates, all have the same
		connections = max(connections, load.Connections(level))
	}
	hosts := map[string]bool{}
	ports := len(plan.Requests) == 0 // of the service that is found later
	for _, q := range plan.Requests {
		if socket, _, ok := unpark.SplitUnix(q.URL); ok {
			hosts[socket] = true
		} else if u, err := url.Parse(q.URL); err == nil {
			hosts[u.Host], ports = true, true
		}
	}
	n := max(1, len(hosts))
	if files, ok := r.files.Get(); ok && float64(connections*n+ownFiles) > files {
		return usage("%d connections to each address of the plan (%d) need %d open files, and this process may have %.0f: use at most %d connections, or raise the hard limit (as root `ulimit -Hn %d`, LimitNOFILE= of a service, --ulimit nofile= of a container)",
			connections, n, connections*n+ownFiles, files, max(1, (int(files)-ownFiles)/n), connections*n+ownFiles)
	}
	low, okLow := r.low.Get()
	high, okHigh := r.high.Get()
	if free := high - low + 1; ports && okLow && okHigh && float64(connections) > free {
		return usage("%d connections need as many local ports, and this machine has %.0f towards one address (%.0f to %.0f): use fewer connections, or widen the range (as root `sysctl -w net.ipv4.ip_local_port_range=\"1024 65535\"`)",
			connections, free, low, high)
	}
	return nil
}
