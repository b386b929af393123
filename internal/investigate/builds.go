package investigate

import (
	"debug/buildinfo"
	"debug/elf"
	"fmt"
	"strings"

	"github.com/unpark-go/unpark"
)

// builds notes what the program of each process was built from, where there are several: one of
// another version may be what makes the difference.
func builds(processes []unpark.Process, elsewhere bool) {
	if len(processes) < 2 || elsewhere {
		return
	}
	for i := range processes {
		if p := &processes[i]; p.PID > 0 && p.Machine == 0 {
			p.Build = buildOf(fmt.Sprintf("/proc/%d/exe", p.PID))
		}
	}
}

// buildOf is the revision that a program was built from, twelve digits and a + for changed files,
// with the beginning of its build ID, which differs where anything does; "" where neither is known.
func buildOf(program string) string {
	id := buildID(program)
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return id
	}
	revision, changed := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = "+"
		}
	}
	if revision == "" {
		return id
	}
	return strings.TrimSpace(revision + changed + " " + id)
}

// buildID is the last part of what the linker wrote down, the hash of the program's contents.
func buildID(program string) string {
	f, err := elf.Open(program)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }() // it was only read
	s := f.Section(".note.go.buildid")
	if s == nil {
		return ""
	}
	note, err := s.Data()
	const head = 16 // name size, size, type, "Go\0\0"
	if err != nil || len(note) <= head {
		return ""
	}
	id := strings.TrimRight(string(note[head:]), "\x00")
	id = id[strings.LastIndexByte(id, '/')+1:]
	return id[:min(12, len(id))]
}
