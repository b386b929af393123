package investigate

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/unpark-go/unpark"
)

// settled is how long the target must keep to its one port, and settling how long
// it may take until it does: services open ports while they start that they close
// again (to measure themselves, to see whether they run already).
const (
	settled  = 300 * time.Millisecond
	settling = 10 * time.Second
)

// address returns the one address that the target listens at, as the beginning of a URL
// without a slash at the end.
func (s *service) address(ctx context.Context) (string, error) {
	var since time.Time
	last := ""
	for deadline := time.Now().Add(settling); ; {
		ports, err := s.target.Ports()
		if err != nil {
			return "", fmt.Errorf("find the target's port: %w: name its address with --url", err)
		}
		var sockets []string
		if len(ports) == 0 {
			sockets, _ = s.target.Sockets()
		}
		base := only(ports, sockets)
		switch {
		case base != last:
			last, since = base, time.Now()
		case base != "" && time.Since(since) >= settled:
			return base, nil
		}
		if time.Now().After(deadline) {
			return "", ambiguous(ports, sockets)
		}
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case <-s.died():
			return "", s.alive()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// only returns the address of a target that listens at one place; empty when there are
// several, or none. A socket counts where there is no port: target.WaitReady has waited
// for one.
func only(ports []int, sockets []string) string {
	switch {
	case len(ports) == 1:
		return "http://" + net.JoinHostPort("127.0.0.1", strconv.Itoa(ports[0]))
	case len(ports) == 0 && len(sockets) == 1:
		return unpark.Unix + sockets[0] + ":"
	}
	return ""
}

// ambiguous says where a target listens that does so at several places, or at none.
func ambiguous(ports []int, sockets []string) error {
	if len(ports) > 0 || len(sockets) == 0 {
		return fmt.Errorf("find the target's address: it listens on %d ports %v: name the one to load with --url", len(ports), ports)
	}
	var urls []string
	for _, socket := range sockets {
		urls = append(urls, "--url "+unpark.UnixURL(socket, "/"))
	}
	return fmt.Errorf("find the target's address: it listens on no TCP port and on %d unix sockets: name the one to load: %s", len(sockets), strings.Join(urls, ", or "))
}
