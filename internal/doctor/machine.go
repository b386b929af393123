package doctor

import (
	"io/fs"
	"strings"
)

// ReadMachine takes the readings of the machine; runs is the folder that run
// directories are written to, or the nearest above it that is there.
func (f Files) ReadMachine(runs string) []Reading {
	return group(
		Machine,
		f.cores(), f.affinity(), f.quota(), f.steal(), f.busy(), f.governor(),
		f.descriptors(), f.ports(), f.perf(), f.ptrace(), f.cgroup(), f.disk(runs),
	)
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

// field returns the value of a line "Name: value".
func field(text, name string) string {
	for line := range strings.Lines(text) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
