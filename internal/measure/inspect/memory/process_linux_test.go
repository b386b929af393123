package memory

import (
	"os"
	"strings"
	"testing"
)

// TestCure: each way to be refused has its own way out.
func TestCure(t *testing.T) {
	for _, c := range []struct {
		refusal
		want string
		not  string
	}{
		{refusal{}, "as the user of the process", "yama"},
		{refusal{scope: "0"}, "as the user of the process", "yama"},
		{refusal{scope: "1"}, "only a parent", "as the user of"},
		{refusal{scope: "1", own: true}, "only a parent", "privileges"},
		{refusal{scope: "2"}, "ptrace_scope is 2", "as the user of"},
		{refusal{scope: "3", filtered: true}, "until the machine starts anew", "seccomp"},
		{refusal{scope: "0", filtered: true}, "--cap-add SYS_PTRACE", "yama"},
		{refusal{own: true}, "file capabilities", "as the user of"},
		{refusal{own: true, filtered: true}, "seccomp", "file capabilities"},
		{refusal{root: true}, "--cap-add SYS_PTRACE", "run unpark as root"},
		{refusal{root: true, own: true, scope: "1"}, "but without CAP_SYS_PTRACE", "only a parent"},
		{refusal{root: true, may: true}, "on the host of this container", "run unpark as root"},
		{refusal{root: true, may: true, filtered: true}, "seccomp", "on the host of"},
	} {
		if got := cure(c.refusal); !strings.Contains(got, c.want) || strings.Contains(got, c.not) && c.not != "" {
			t.Errorf("%+v: %s", c.refusal, got)
		}
	}
}

// TestField reads a line of proc(5) by its whole name.
func TestField(t *testing.T) {
	status := "Name:\tcat\nUid:\t0\t65534\t0\t0\nSeccomp:\t2\nSeccomp_filters:\t1\n"
	for name, want := range map[string]string{"Uid": "0\t65534\t0\t0", "Seccomp": "2", "Seccomp_filters": "1", "Sec": "", "Gid": ""} {
		if got := field(status, name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if self, err := os.ReadFile("/proc/self/status"); err != nil || len(field(string(self), "CapEff")) != 16 {
		t.Errorf("%v: %s", err, self)
	}
}
