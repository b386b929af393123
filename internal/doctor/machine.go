package doctor

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/target/confine"
)

// The bounds below which a reading is told as a warning.
const (
	// ownCores is from how many on generator and target get processors of their own
	// (DESIGN §4).
	ownCores = 4
	// mostSteal is a share of time that the machine under this one took, from which on
	// identical runs differ by it.
	mostSteal = 0.01
	// busyShare of the processors taken by others moves what a run measures.
	busyShare = 0.1
	// fewFiles and fewPorts bound how many connections a load can have.
	fewFiles = 4096
	fewPorts = 10_000
	// fewBytes is room for some runs: one has up to 64 MB of trace for each process;
	// noBytes is not enough for one.
	fewBytes = 1 << 30
	noBytes  = 64 << 20
)

// ReadMachine takes the readings of the machine; runs is the folder that run
// directories are written to, or the nearest above it that is there.
func (f Files) ReadMachine(runs string) []Reading {
	all := []Reading{
		f.cores(), f.affinity(), f.quota(), f.steal(), f.busy(), f.governor(),
		f.descriptors(), f.ports(), f.perf(), f.ptrace(), f.cgroup(), f.disk(runs),
	}
	for i := range all {
		all[i].Group = Machine
	}
	return all
}

// text reads a small file; empty when it cannot be read.
func (f Files) text(name string) string {
	b, err := fs.ReadFile(f.Root, name)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}

// unknown is a reading that cannot be taken.
func unknown(name, why string) Reading {
	return Reading{Name: name, State: Unknown, Text: "unknown", Why: why}
}

func (f Files) cores() Reading {
	n := 0
	for line := range strings.Lines(f.text("proc/stat")) {
		if name, _, _ := strings.Cut(line, " "); strings.HasPrefix(name, "cpu") && name != "cpu" {
			n++
		}
	}
	if n == 0 {
		return unknown("cores", "/proc/stat has no processors")
	}
	r := Reading{Name: "cores", State: OK, Text: strconv.Itoa(n), Value: unpark.Num(float64(n)), Unit: "cores"}
	if n < ownCores {
		r.State = Warn
		r.Why = "generator and target share them: the generator takes a part of what the target could have"
		r.Cure = "measure where there are four or more, or drive the load from another machine: unpark run --pprof URL"
	}
	return r
}

func (f Files) affinity() Reading {
	list := field(f.text("proc/self/status"), "Cpus_allowed_list")
	n, ok := counted(list)
	if !ok {
		return unknown("affinity", "/proc/self/status does not list the processors")
	}
	r := Reading{Name: "affinity", State: OK, Text: "processors " + list, Value: unpark.Num(float64(n)), Unit: "cores"}
	if all, ok := f.cores().Value.Get(); ok && float64(n) < all {
		r.State = Warn
		r.Why = fmt.Sprintf("this process may use %d of %.0f processors, and so may what it starts", n, all)
		r.Cure = "start unpark without taskset, a cpuset or --cpuset-cpus"
	}
	return r
}

// counted counts the processors of a list such as 0-3,8.
func counted(list string) (int, bool) {
	n := 0
	for part := range strings.SplitSeq(list, ",") {
		first, last, ranged := strings.Cut(strings.TrimSpace(part), "-")
		a, err := strconv.Atoi(first)
		if err != nil {
			return 0, false
		}
		b := a
		if ranged {
			if b, err = strconv.Atoi(last); err != nil || b < a {
				return 0, false
			}
		}
		n += b - a + 1
	}
	return n, true
}

// field returns the value of a line "Name: value".
func field(text, name string) string {
	for line := range strings.Lines(text) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func (f Files) quota() Reading {
	c, ok := confine.CgroupIn(f.Root, "self")
	if !ok {
		return unknown("quota", "no cgroup of this process is visible here")
	}
	q, limited := c.Quota.Get()
	if !limited {
		return Reading{Name: "quota", State: OK, Text: "none"}
	}
	return Reading{
		Name: "quota", State: Warn, Text: fmt.Sprintf("%.3g cores, by %s", q, c.QuotaDir), Value: c.Quota, Unit: "cores",
		Why:  "generator and target share this quota: either can make the kernel stop both",
		Cure: "raise the CPU limit of this container or service, or drive the load from outside of it",
	}
}

func (f Files) steal() Reading {
	line, _, _ := strings.Cut(f.text("proc/stat"), "\n")
	w := strings.Fields(line)
	if len(w) < 9 || w[0] != "cpu" {
		return unknown("steal", "/proc/stat does not tell it")
	}
	total, steal := 0.0, 0.0
	for i, text := range w[1:9] {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return unknown("steal", "/proc/stat does not tell it")
		}
		if total += v; i == 7 {
			steal = v
		}
	}
	share := unpark.Ratio(steal, total)
	v, ok := share.Get()
	if !ok {
		return unknown("steal", "/proc/stat counts nothing yet")
	}
	r := Reading{Name: "steal", State: OK, Text: fmt.Sprintf("%.2g %% since it started", 100*v), Value: share, Unit: "ratio"}
	if v > mostSteal {
		r.State, r.Why = Warn, "the machine under this one gives its processors to others, at times that nothing here foresees"
		r.Cure = "measure on a machine of your own, or trust rounds in turns alone: unpark ab"
	}
	return r
}

func (f Files) busy() Reading {
	first, _, _ := strings.Cut(f.text("proc/loadavg"), " ")
	v, err := strconv.ParseFloat(first, 64)
	cores, ok := f.cores().Value.Get()
	if err != nil || !ok {
		return unknown("load", "/proc/loadavg does not tell it")
	}
	r := Reading{Name: "load", State: OK, Text: fmt.Sprintf("%.2f over the last minute", v), Value: unpark.Num(v), Unit: "threads"}
	if v > busyShare*cores {
		r.State, r.Why = Warn, fmt.Sprintf("others want %.2g of %.0f cores: what is measured is theirs too", v, cores)
		r.Cure = "end what runs beside it (see top), or wait until it is done"
	}
	return r
}

func (f Files) governor() Reading {
	names, err := fs.Glob(f.Root, "sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor")
	if err != nil || len(names) == 0 {
		return unknown("governor", "the system shows no clock control: a virtual machine, whose host decides")
	}
	var found []string
	for _, name := range names {
		if g := f.text(name); g != "" && !slices.Contains(found, g) {
			found = append(found, g)
		}
	}
	r := Reading{Name: "governor", State: OK, Text: strings.Join(found, ", ")}
	if len(found) != 1 || found[0] != "performance" {
		r.State, r.Why = Warn, "the clock follows the load: a cooler machine is a faster one, and rates of half a load look slower than they are"
		r.Cure = "as root: cpupower frequency-set -g performance"
	}
	return r
}

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
