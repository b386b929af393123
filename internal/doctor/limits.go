package doctor

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/target/confine"
)

// The bounds below which a reading of what the system allows is told as a warning.
const (
	// fewFiles and fewPorts bound how many connections a load can have.
	fewFiles = 4096
	fewPorts = 10_000
	// fewBytes is room for some runs: one has up to 64 MB of trace for each process;
	// noBytes is not enough for one.
	fewBytes = 1 << 30
	noBytes  = 64 << 20
)

func (f Files) descriptors() Reading {
	for line := range strings.Lines(f.text("proc/self/limits")) {
		rest, ok := strings.CutPrefix(line, "Max open files")
		w := strings.Fields(rest)
		if !ok || len(w) < 2 {
			continue
		}
		// Go raises the soft limit to the hard one when it starts.
		hard, err := strconv.ParseFloat(w[1], 64)
		if w[1] == "unlimited" {
			return Reading{Name: "descriptors", State: OK, Text: "unlimited"}
		}
		if err != nil {
			break
		}
		r := Reading{Name: "descriptors", State: OK, Text: w[1] + " at most", Value: unpark.Num(hard), Unit: "files"}
		if hard < fewFiles {
			r.State, r.Why = Warn, "each connection is one, here and in the target"
			r.Cure = "raise the hard limit: as root `ulimit -Hn 65536`, LimitNOFILE= of a service, --ulimit nofile= of a container"
		}
		return r
	}
	return unknown("descriptors", "/proc/self/limits does not tell it")
}

func (f Files) ports() Reading {
	w := strings.Fields(f.text("proc/sys/net/ipv4/ip_local_port_range"))
	if len(w) != 2 {
		return unknown("ports", "/proc/sys/net/ipv4/ip_local_port_range does not tell it")
	}
	low, errLow := strconv.Atoi(w[0])
	high, errHigh := strconv.Atoi(w[1])
	if errLow != nil || errHigh != nil || high < low {
		return unknown("ports", "/proc/sys/net/ipv4/ip_local_port_range does not tell it")
	}
	n := high - low + 1
	r := Reading{Name: "ports", State: OK, Text: fmt.Sprintf("%d to one address (%d–%d)", n, low, high), Value: unpark.Num(float64(n)), Unit: "ports"}
	if n < fewPorts {
		r.State, r.Why = Warn, "each connection to one address takes one, and holds it for a minute after it was closed"
		r.Cure = "as root: sysctl -w net.ipv4.ip_local_port_range='1024 65535'"
	}
	return r
}

func (f Files) perf() Reading {
	return f.level("perf events", "proc/sys/kernel/perf_event_paranoid", 2, "the kernel lets only root count events of processes; unpark itself needs none")
}

func (f Files) ptrace() Reading {
	return f.level("ptrace", "proc/sys/kernel/yama/ptrace_scope", 1, "looking into the memory of processes is left to root, or not possible at all; unpark itself does not")
}

// level reads a switch of the kernel for which more is stricter. Nothing that unpark
// does today asks for it, so it is never more than told.
func (f Files) level(name, file string, usual int, strict string) Reading {
	text := f.text(file)
	v, err := strconv.Atoi(text)
	if err != nil {
		return unknown(name, "the kernel has no "+path.Base(file))
	}
	r := Reading{Name: name, State: OK, Text: fmt.Sprintf("%s = %d", path.Base(file), v), Value: unpark.Num(float64(v)), Unit: "level"}
	if v > usual {
		r.Why = strict
	}
	return r
}

func (f Files) cgroup() Reading {
	c, ok := confine.CgroupIn(f.Root, "self")
	if !ok {
		return Reading{
			Name: "cgroup", State: Warn, Text: "none", Why: "--cpus cannot limit the service",
			Cure: "leave --cpus out, or start unpark where a cgroup file system is mounted",
		}
	}
	r := Reading{Name: "cgroup", State: OK, Text: fmt.Sprintf("version %d, %s", c.Version, c.Dir), Value: unpark.Num(float64(c.Version)), Unit: "version"}
	switch {
	case !c.Delegated:
		r.State, r.Why = Warn, "its cpu controller is not there: --cpus cannot limit the service"
		r.Cure = "start unpark in a delegated cgroup: systemd-run --user --scope -p Delegate=yes unpark run …"
	case f.Writable != nil && !f.Writable(c.Dir):
		r.State, r.Why = Warn, "it cannot be written to: --cpus cannot limit the service"
		r.Cure = "as root, or in a delegated cgroup: systemd-run --user --scope -p Delegate=yes unpark run …"
	}
	return r
}

func (f Files) disk(runs string) Reading {
	if f.Free == nil {
		return unknown("disk", "the system does not tell it")
	}
	free := f.Free(runs)
	v, ok := free.Get()
	if !ok {
		return unknown("disk", "the system does not tell it")
	}
	r := Reading{Name: "disk", State: OK, Text: fmt.Sprintf("%.3g GB free for run directories", v/1e9), Value: free, Unit: "B"}
	switch {
	case v < noBytes:
		r.State, r.Why = Bad, "a run does not fit"
	case v < fewBytes:
		r.State, r.Why = Warn, "few runs fit: one has up to 64 MB of trace for each process"
	}
	if r.State != OK {
		r.Cure = "make room, or write runs to another disk: --out DIR"
	}
	return r
}
