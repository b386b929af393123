package doctor

import (
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/target/confine"
)

// The bounds beyond which a reading of the processors is told as a warning.
const (
	// ownCores is from how many on generator and target get processors of their own
	// (DESIGN §4).
	ownCores = 4
	// mostSteal is a share of time that the machine under this one took, from which on
	// identical runs differ by it.
	mostSteal = 0.01
	// busyShare of the processors taken by others moves what a run measures.
	busyShare = 0.1
)

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
