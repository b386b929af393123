package agent

import (
	"net/netip"
	"net/url"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load"
	"github.com/unpark-go/unpark/internal/measure/target/confine"
	"github.com/unpark-go/unpark/internal/measure/target/rusage"
)

func machine() rusage.Machine {
	m, _ := rusage.ReadMachine() // elsewhere than on Linux nothing is known
	return m
}

func (j *job) conditions(a, b rusage.Machine, took time.Duration) load.Conditions {
	c := load.Conditions{CPUs: len(confine.Allowed()), Shared: j.capture != nil || j.targetHere()}
	if s := took.Seconds(); s > 0 && b.CPUs > 0 {
		c.Machine, c.Steal = unpark.Num((b.Busy-a.Busy)/s), unpark.Num((b.Steal-a.Steal)/s)
	}
	return c
}

// targetHere reports whether the load goes to this machine.
func (j *job) targetHere() bool {
	for _, r := range j.plan.Requests {
		u, err := url.Parse(r.URL)
		if err != nil || u.Scheme == "unix" {
			return true
		}
		if addr, err := netip.ParseAddr(u.Hostname()); err == nil && addr.IsLoopback() || u.Hostname() == "localhost" {
			return true
		}
	}
	return false
}
