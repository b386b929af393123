package arms

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// group is a cgroup with a CPU quota, for one process and what it starts.
type group struct{ dir string }

const period = 100_000 // µs, the kernel's default

// newGroup makes a cgroup of so many cores, version 1 or 2, wherever root may.
func newGroup(cores float64) (group, error) {
	quota := fmt.Sprintf("%.0f", cores*period)
	var whys []error
	for _, v := range []struct{ parent, file, value string }{
		{"/sys/fs/cgroup/cpu", "cpu.cfs_quota_us", quota},
		{"/sys/fs/cgroup", "cpu.max", fmt.Sprintf("%s %d", quota, period)},
	} {
		g, err := makeGroup(v.parent, v.file, v.value)
		if err == nil {
			return g, nil
		}
		whys = append(whys, err)
	}
	return group{}, fmt.Errorf("%w: %w", ErrNoQuota, errors.Join(whys...))
}

// ErrNoQuota says that this machine lets nobody set a CPU quota.
var ErrNoQuota = errors.New("no CPU quota can be set here")

func makeGroup(parent, file, value string) (group, error) {
	dir, err := os.MkdirTemp(parent, "unpark-labs-")
	if err != nil {
		return group{}, err
	}
	// Not os.WriteFile, which would make the file where it is missing.
	f, err := os.OpenFile(filepath.Join(dir, file), os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString(value)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return group{}, errors.Join(err, os.Remove(dir))
	}
	return group{dir}, nil
}

// wrap is what to put before a command so that it runs inside of the group.
func (g group) wrap() []string {
	procs := filepath.Join(g.dir, "cgroup.procs")
	return []string{"sh", "-c", "echo $$ > '" + strings.ReplaceAll(procs, "'", `'\''`) + `' && exec "$@"`, "sh"}
}

// remove takes the group away; its processes have ended.
func (g group) remove() { _ = os.Remove(g.dir) }
