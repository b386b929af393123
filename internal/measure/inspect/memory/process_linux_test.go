package memory

import (
	"strings"
	"testing"
)

// TestCure: each way to be refused has its own way out.
func TestCure(t *testing.T) {
	for _, c := range []struct {
		scope    string
		filtered bool
		want     string
		not      string
	}{
		{"", false, "as the user of the process", "yama"},
		{"0", false, "as the user of the process", "yama"},
		{"1", false, "only a parent", "as the user of"},
		{"2", false, "ptrace_scope is 2", "as the user of"},
		{"3", true, "until the machine starts anew", "seccomp"},
		{"0", true, "--cap-add SYS_PTRACE", "yama"},
	} {
		if got := cure(c.scope, c.filtered); !strings.Contains(got, c.want) || strings.Contains(got, c.not) {
			t.Errorf("scope %q, filtered %v: %s", c.scope, c.filtered, got)
		}
	}
}
