package investigate

import (
	"debug/buildinfo"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/unpark-go/unpark/internal/measure/window"
)

// CheckOwn says what is wrong with patterns that name modules.
func CheckOwn(patterns []string) error {
	for _, p := range patterns {
		path := strings.TrimSuffix(strings.TrimSuffix(p, "/..."), "/*")
		if path == "" || strings.ContainsAny(path, "* \t\\,") || strings.Contains(path, "...") || strings.Contains(path, "://") || strings.HasPrefix(path, "/") || strings.HasPrefix(path, ".") {
			return fmt.Errorf("own modules %q: write the path of a module, or its beginning with /... as in github.com/acme/...; several have a flag each", p)
		}
	}
	return nil
}

// fromFolders returns the modules of a program that were built from folders: those of
// its workspace, and those that a replace directive takes from one.
func fromFolders(deps []*debug.Module) []string {
	var out []string
	for _, m := range deps {
		version := m.Version
		if m.Replace != nil {
			version = m.Replace.Version
		}
		if version == "" || version == "(devel)" { // cmd/go/internal/load/pkg.go: setBuildInfo
			out = append(out, m.Path)
		}
	}
	return out
}

// joined adds to a list what it does not have; nil when both are empty.
func joined(all, more []string) []string {
	out := slices.Concat(all, more)
	slices.Sort(out)
	if out = slices.Compact(out); len(out) == 0 {
		return nil
	}
	return out
}

// owns notes the modules that a process was built from beside its main one. The probe
// says them itself; of a process that unpark started, its program file does.
func (s *service) owns(e *window.Endpoint) {
	t := &s.rec.run.Target
	if e.Info != nil {
		t.Own = joined(t.Own, e.Info.Own)
		return
	}
	if s.target == nil || e.PID <= 0 {
		return
	}
	if info, err := buildinfo.ReadFile(fmt.Sprintf("/proc/%d/exe", e.PID)); err == nil {
		if t.Module == "" {
			t.Module, t.Go = info.Main.Path, info.GoVersion
		}
		t.Own = joined(t.Own, fromFolders(info.Deps))
	}
}
