package confine

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// tree makes a folder that looks like a v2 hierarchy: file name → text.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	top := t.TempDir()
	for name, text := range files {
		name = filepath.Join(top, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return top
}

func TestV2ClimbsToWhereTheControllerIs(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		quota float64
		where string // relative to the top; "-" for none
		why   string
	}{
		"own":            {map[string]string{"a/b/cgroup.subtree_control": "cpu memory\n"}, 2, "a/b", ""},
		"can be enabled": {map[string]string{"a/b/cgroup.subtree_control": "", "a/b/cgroup.controllers": "cpu io\n"}, 2, "a/b", ""},
		"parent":         {map[string]string{"a/b/cgroup.controllers": "io\n", "a/cgroup.subtree_control": "cpu\n"}, 2, "a", ""},
		"top":            {map[string]string{"a/b/x": "", "cgroup.subtree_control": "cpu\n"}, 2, ".", ""},
		"not cpuset":     {map[string]string{"a/b/x": "", "cgroup.subtree_control": "cpuset\n"}, 2, "-", "no cpu controller"},
		"memory limit":   {map[string]string{"a/b/memory.max": "4096\n", "cgroup.subtree_control": "cpu\n"}, 2, "-", "would escape"},
		"cpu limit":      {map[string]string{"a/b/x": "", "a/cpu.max": "1 2\n", "cgroup.subtree_control": "cpu\n"}, 2, "-", "would escape"},
		"no limit":       {map[string]string{"a/b/cpu.max": "max 100000\n", "a/b/memory.max": "max\n", "cgroup.subtree_control": "cpu\n"}, 2, ".", ""},
		"no quota":       {map[string]string{"a/b/x": ""}, 0, "a/b", ""},
	} {
		t.Run(name, func(t *testing.T) {
			top := tree(t, c.files)
			cg, err := makeV2(place{version: 2, top: top, own: filepath.Join(top, "a/b")}, c.quota)
			if c.where == "-" {
				if err == nil || !strings.Contains(err.Error(), c.why) {
					t.Fatalf("got %+v, %v, want %q", cg, err, c.why)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if filepath.Dir(cg.dir) != filepath.Join(top, c.where) {
				t.Errorf("made %s", cg.dir)
			}
			text, _ := os.ReadFile(filepath.Join(cg.dir, "cpu.max"))
			if c.quota > 0 && string(text) != "200000 100000" {
				t.Errorf("cpu.max %q", text)
			}
		})
	}
}

func TestThreadedCgroupTakesNoProcess(t *testing.T) {
	c, err := makeV2In(tree(t, map[string]string{"x": ""}), 0)
	if err != nil {
		t.Fatal("without the file:", err)
	}
	if err := os.WriteFile(filepath.Join(c.dir, "cgroup.type"), []byte("domain invalid\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := takesProcesses(c.dir); err == nil || !strings.Contains(err.Error(), "domain invalid") {
		t.Errorf("got %v", err)
	}
}

func TestShare(t *testing.T) {
	for quota, want := range map[float64][2]int{
		1: {100_000, 100_000}, 1.5: {150_000, 100_000}, 0.01: {1_000, 100_000}, 0.005: {1_000, 200_000}, 0.001: {1_000, 1_000_000}, 64: {6_400_000, 100_000}, 0.333: {33_300, 100_000},
	} {
		if q, p := share(quota); [2]int{q, p} != want {
			t.Errorf("%v cores: %d in %d, want %v", quota, q, p, want)
		}
	}
}

func TestTightest(t *testing.T) {
	v2 := tree(t, map[string]string{"cpu.max": "max 100000\n", "a/cpu.max": "100000 100000\n", "a/b/cpu.max": "400000 100000\n", "c/cpu.max": "max 100000"})
	v1 := tree(t, map[string]string{"cpu.cfs_quota_us": "-1\n", "cpu.cfs_period_us": "100000\n", "a/cpu.cfs_quota_us": "50000\n", "a/cpu.cfs_period_us": "100000\n"})
	for _, c := range []struct {
		p     place
		want  unpark.Number
		where string
	}{
		{place{version: 2, top: v2, own: v2 + "/a/b"}, unpark.Num(1), v2 + "/a"},
		{place{version: 2, top: v2, own: v2 + "/c"}, unpark.Number{}, v2 + "/c"},
		{place{version: 2, top: v2, own: v2}, unpark.Number{}, v2},
		{place{version: 1, top: v1, own: v1 + "/a"}, unpark.Num(0.5), v1 + "/a"},
		{place{version: 1, top: v1, own: v1}, unpark.Number{}, v1},
		{place{version: 1, top: v1, own: v1 + "/gone"}, unpark.Number{}, v1 + "/gone"},
	} {
		if got, where := tightest(os.DirFS("/"), c.p); got != c.want || where != c.where {
			t.Errorf("%+v: got %v at %s", c.p, got, where)
		}
	}
}

func TestBoundsOfNoProcess(t *testing.T) {
	b := BoundsOf([]int{1 << 30})
	if b.Quota.Known() || b.Throttled() != (Throttling{}) || len(b.CPUs) > 0 {
		t.Errorf("got %v, %v, %v", b.Quota, b.Throttled(), b.CPUs)
	}
}

// A cgroup that is gone takes no command, and says which it was.
func TestGroupThatIsGone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gone")
	if _, err := (&Group{dir: dir, version: 2}).Prepare(exec.Command("true")); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("v2: %v", err)
	}
	leave, err := (&Group{dir: dir, home: dir, version: 1}).Confinement(nil).Enter()
	if err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("v1: %v", err)
	}
	if err := leave(); err != nil {
		t.Error(err)
	}
}

// What was written to cgroup.subtree_control for a quota is undone with the cgroup, unless
// another cgroup there has a use for it by then.
func TestControllerIsTakenBack(t *testing.T) {
	for name, c := range map[string]struct {
		before string            // subtree_control
		later  map[string]string // what there is when the cgroup goes
		want   string
	}{
		"enabled for us":           {"", nil, "-cpu"},
		"it was there":             {"cpu io\n", nil, "cpu io\n"},
		"a neighbour without use":  {"", map[string]string{"n/cpu.max": "max 100000\n", "n/cpu.weight": "100\n"}, "-cpu"},
		"a neighbour with a limit": {"", map[string]string{"n/cpu.max": "5000 100000\n"}, "+cpu"},
		"a neighbour with weight":  {"", map[string]string{"n/cpu.max": "max 100000\n", "n/cpu.weight": "1000\n"}, "+cpu"},
		"another run of unpark":    {"", map[string]string{"unpark-1-x/cpu.max": "max 100000\n"}, "+cpu"},
	} {
		for _, killed := range []bool{false, true} {
			top := tree(t, map[string]string{"cgroup.subtree_control": c.before, "cgroup.controllers": "cpu\n"})
			cg, err := makeV2In(top, 2)
			if err != nil {
				t.Fatal(err)
			}
			for name, text := range c.later {
				if err := errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(top, name)), 0o700), os.WriteFile(filepath.Join(top, name), []byte(text), 0o600)); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Remove(filepath.Join(cg.dir, "cpu.max")); err != nil { // a kernel's files go with the folder
				t.Fatal(err)
			}
			if killed {
				s := cg.Confinement(nil).Remove
				if out, err := exec.Command("sh", append([]string{"-c", s.Text, "guard"}, s.Args...)...).CombinedOutput(); err != nil || len(out) > 0 {
					t.Fatalf("%v: %s", err, out)
				}
			} else if err := cg.Remove(); err != nil {
				t.Fatal(err)
			}
			got, _ := os.ReadFile(filepath.Join(top, "cgroup.subtree_control"))
			if strings.TrimSpace(string(got)) != strings.TrimSpace(c.want) {
				t.Errorf("%s, killed %v: %q, want %q", name, killed, got, c.want)
			}
		}
	}
	// A cgroup that could not be made leaves nothing either.
	top := tree(t, map[string]string{"cgroup.subtree_control": "", "cgroup.controllers": "cpu\n"})
	c := &Group{lent: top}
	c.takeBack()
	if got, _ := os.ReadFile(filepath.Join(top, "cgroup.subtree_control")); string(got) != "-cpu" {
		t.Errorf("%q", got)
	}
}
