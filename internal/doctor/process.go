package doctor

import (
	"debug/buildinfo"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/target/confine"
	"github.com/unpark-go/unpark/internal/measure/target/sockets"
)

// Process is what is known of a process from outside.
type Process struct {
	PID     int
	Build   *debug.BuildInfo // nil when it is no Go program, or cannot be read
	Listens []string         // host:port
}

// ReadProcess takes the readings of a process; user is the number of the user that
// asks.
func (f Files) ReadProcess(pid, user int) (Process, []Reading) {
	p := Process{PID: pid}
	dir := "proc/" + strconv.Itoa(pid)
	status := f.text(dir + "/status")
	if status == "" {
		return p, group(Target, Reading{
			Name: "process", State: Bad, Text: fmt.Sprintf("%d is not there", pid), Why: "there is no such process, or none that is visible here",
			Cure: "name one that runs: pgrep -l NAME",
		})
	}
	all := []Reading{
		{Name: "process", State: OK, Text: fmt.Sprintf("%d, %s", pid, field(status, "Name")), Value: unpark.Num(float64(pid)), Unit: "pid"},
		owner(status, user),
		f.program(dir, &p),
		f.allowed(pid, status),
		f.listening(&p),
	}
	return p, group(Target, all...)
}

func group(name Group, all ...Reading) []Reading {
	for i := range all {
		all[i].Group = name
	}
	return all
}

func owner(status string, user int) Reading {
	w := strings.Fields(field(status, "Uid"))
	if len(w) == 0 {
		return unknown("owner", "/proc/PID/status does not tell it")
	}
	r := Reading{Name: "owner", State: OK, Text: "user " + w[0]}
	if user != 0 && w[0] != strconv.Itoa(user) {
		r.State, r.Why = Warn, "it is not yours: its files, ports and program cannot be read"
		r.Cure = "run unpark as its owner (sudo -u '#" + w[0] + "' unpark …), or name its endpoint with --pprof"
	}
	return r
}

// program reads which Go built the program.
func (f Files) program(dir string, p *Process) Reading {
	file, err := f.Root.Open(dir + "/exe")
	if err != nil {
		return Reading{
			Name: "go", State: Unknown, Text: "unknown", Why: "its program cannot be read: " + plain(err),
			Cure: "run unpark as its owner or as root",
		}
	}
	defer func() { _ = file.Close() }() // it was read only
	r, ok := file.(io.ReaderAt)
	if !ok {
		return unknown("go", "its program cannot be read at any place")
	}
	info, err := buildinfo.Read(r)
	if err != nil {
		return Reading{
			Name: "go", State: Bad, Text: "no Go program", Why: "no build information of Go is in it",
			Cure: "name the service itself, not a shell, a wrapper or an interpreter before it",
		}
	}
	p.Build = info
	return GoReading(info.GoVersion, info.Path)
}

// oldest is the first release whose profiles are known to fit together: it has
// deltas over seconds (1.16), and runtime locks apart in the mutex profile (1.22).
const oldest = 22

var release = regexp.MustCompile(`\bgo ?1\.(\d{1,3})`)

// GoReading judges the Go release of a target.
func GoReading(version, path string) Reading {
	r := Reading{Group: Target, Name: "go", State: OK, Text: strings.TrimSpace(version + " " + path)}
	m := release.FindStringSubmatch(version)
	if m == nil {
		r.State, r.Why = Unknown, "the release cannot be read from its version"
		return r
	}
	minor, _ := strconv.Atoi(m[1]) // at most three digits
	r.Value, r.Unit = unpark.Num(float64(minor)), "minor release"
	if minor < oldest {
		r.State, r.Why = Warn, "before Go 1.22 locks of the runtime are not told apart, and traces cannot be followed"
		r.Cure = "build it with Go 1.22 or later"
	}
	return r
}

// allowed says which processors and quota the process has, where they are fewer.
func (f Files) allowed(pid int, status string) Reading {
	list := field(status, "Cpus_allowed_list")
	r := Reading{Name: "processors", State: OK, Text: list, Unit: "cores"}
	if n, ok := counted(list); ok {
		r.Value = unpark.Num(float64(n))
	} else {
		r = unknown("processors", "/proc/PID/status does not list them")
	}
	if c, ok := confine.CgroupIn(f.Root, strconv.Itoa(pid)); ok && c.Quota.Known() {
		q, _ := c.Quota.Get()
		r.Text += fmt.Sprintf(", quota %.3g cores", q)
	}
	return r
}

func (f Files) listening(p *Process) Reading {
	listens, err := sockets.PortsIn(f.Root, p.PID)
	if err != nil {
		return Reading{Name: "listens", State: Unknown, Text: "unknown", Why: plain(err), Cure: "run unpark as its owner or as root"}
	}
	p.Listens = listens
	if len(listens) == 0 {
		return Reading{
			Name: "listens", State: Warn, Text: "on no TCP port", Why: "nothing of it can be asked",
			Cure: "name a unix socket, unix:///run/x.sock, or the process that listens",
		}
	}
	return Reading{Name: "listens", State: OK, Text: strings.Join(listens, ", "), Value: unpark.Num(float64(len(listens))), Unit: "ports"}
}

// plain is an error without the name of what was read, which only repeats.
func plain(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}
