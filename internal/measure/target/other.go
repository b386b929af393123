//go:build !linux

package target

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os/exec"
	"runtime"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/proc"
)

// What only Linux can do, said as such.

const pins = false

// FindsPorts says whether Ports can tell where a started target listens.
const FindsPorts = false

func missing(what string) error {
	return fmt.Errorf("%s: %w on %s: run unpark on Linux for it", what, errors.ErrUnsupported, runtime.GOOS)
}

// cgroup does not exist here.
type cgroup struct {
	version int
	limited bool
}

func (*cgroup) remove() error { return nil }

func confine(float64) (*cgroup, error) { return nil, missing("limit CPU") }

func (*cgroup) confinement([]int) proc.Confinement { return proc.Confinement{} }

func attributes(*exec.Cmd, *cgroup) (release func(), err error) { return func() {}, nil }

// ReadUsage needs /proc.
func ReadUsage(pid int) (Usage, error) {
	return Usage{}, missing(fmt.Sprintf("read the usage of process %d", pid))
}

// ReadMachine needs /proc.
func ReadMachine() (MachineUsage, error) {
	return MachineUsage{}, missing("read the machine's usage")
}

// Host describes this machine as far as the Go runtime knows it.
func Host() unpark.Host {
	return unpark.Host{OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.NumCPU()}
}

func limitOn(int) (limit, bool) { return limit{}, false }

func affinity(int) []int { return nil }

// Allowed lists all processors.
func Allowed() []int {
	cpus := make([]int, runtime.NumCPU())
	for i := range cpus {
		cpus[i] = i
	}
	return cpus
}

// Pin needs a system call that is not here.
func Pin(pid int, _ []int) error { return missing(fmt.Sprintf("pin process %d", pid)) }

func portsOf([]int) ([]int, error) { return nil, errors.ErrUnsupported }

func unixOf([]int) ([]string, error) { return nil, missing("list sockets") }

func owner(addrs []netip.AddrPort) (pid int, ok bool) { return 0, occupied(addrs) }

// localWitness can say nothing: there is no /proc.
func localWitness() witness {
	return witness{
		all:       func() []int { return nil },
		listening: func(string) []int { return nil },
		start:     func(int) (uint64, bool) { return 0, false },
		inner:     func(pid int) int { return pid },
		command:   func(int) ([]byte, bool) { return nil, false },
	}
}

// PeerPID needs SO_PEERCRED.
func PeerPID(*net.UnixConn) int { return 0 }
