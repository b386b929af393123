package doctor_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/doctor"
)

var update = flag.Bool("update", false, "rewrite testdata")

const (
	stat = "cpu  100 0 100 700 0 0 0 %s 0 0\ncpu0 1 0 1 1 0 0 0 0 0 0\n"
	v1   = "30 25 0:26 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
	v2   = "30 25 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"
)

// tree is a file system of these files.
func tree(files map[string]string) fstest.MapFS {
	out := fstest.MapFS{}
	for name, text := range files {
		out[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o444}
	}
	return out
}

// healthy is a machine with nothing in the way.
func healthy() map[string]string {
	return map[string]string{
		"proc/stat":             strings.ReplaceAll(stat, "%s", "0") + "cpu1 1\ncpu2 1\ncpu3 1\ncpu4 1\ncpu5 1\ncpu6 1\ncpu7 1\n",
		"proc/loadavg":          "0.10 0.20 0.30 1/200 4711\n",
		"proc/self/status":      "Name:\tunpark\nCpus_allowed_list:\t0-7\n",
		"proc/self/limits":      "Limit Soft Hard Units\nMax open files            1024                 1048576              files     \n",
		"proc/self/mountinfo":   v2,
		"proc/self/cgroup":      "0::/user.slice/me\n",
		"sys/fs/cgroup/cpu.max": "max 100000\n",
		"sys/fs/cgroup/user.slice/me/cgroup.controllers":            "cpu memory\n",
		"proc/sys/net/ipv4/ip_local_port_range":                     "32768\t60999\n",
		"proc/sys/kernel/perf_event_paranoid":                       "1\n",
		"proc/sys/kernel/yama/ptrace_scope":                         "1\n",
		"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor":      "performance\n",
		"sys/devices/system/cpu/cpu1/cpufreq/scaling_governor":      "performance\n",
		"sys/devices/system/cpu/cpuidle/current_governor":           "menu\n",
		"sys/devices/system/cpu/cpu10/cpufreq/scaling_governor.bak": "x\n",
	}
}

// poor is a machine with everything in the way that a reading knows.
func poor() map[string]string {
	return map[string]string{
		"proc/stat":                                            strings.ReplaceAll(stat, "%s", "100") + "cpu1 1\n",
		"proc/loadavg":                                         "1.50 0.20 0.30 3/200 4711\n",
		"proc/self/status":                                     "Name:\tunpark\nCpus_allowed_list:\t1\n",
		"proc/self/limits":                                     "Max open files            1024                 1024              files     \n",
		"proc/self/mountinfo":                                  v2,
		"proc/self/cgroup":                                     "0::/box\n",
		"sys/fs/cgroup/box/cpu.max":                            "150000 100000\n",
		"sys/fs/cgroup/box/cgroup.controllers":                 "memory pids\n",
		"proc/sys/net/ipv4/ip_local_port_range":                "60000\t60999\n",
		"proc/sys/kernel/perf_event_paranoid":                  "4\n",
		"proc/sys/kernel/yama/ptrace_scope":                    "3\n",
		"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor": "powersave\n",
		"sys/devices/system/cpu/cpu1/cpufreq/scaling_governor": "performance\n",
	}
}

func report(files doctor.Files) doctor.Report {
	r := doctor.Report{Host: unpark.Host{OS: "linux", Arch: "amd64", CPUs: 2}}
	r.Readings = files.ReadMachine("unpark-runs")
	r.Readings = append(r.Readings, r.Conclusions()...)
	r.Conclude()
	return r
}

func free(v float64) func(string) unpark.Number {
	return func(string) unpark.Number { return unpark.Num(v) }
}

// TestMachines: what is said of a machine with nothing in the way, of one with
// everything, and of one that shows nothing.
func TestMachines(t *testing.T) {
	for name, files := range map[string]doctor.Files{
		"healthy": {Root: tree(healthy()), Writable: func(string) bool { return true }, Free: free(5e10)},
		"poor":    {Root: tree(poor()), Writable: func(string) bool { return true }, Free: free(1e7)},
		"nothing": {Root: tree(nil)},
	} {
		r := report(files)
		var b bytes.Buffer
		if err := doctor.Text(&b, r); err != nil {
			t.Fatal(err)
		}
		golden(t, name+".txt", b.Bytes())
		validate(t, r)
		if want := name != "poor"; r.Ready != want {
			t.Errorf("%s: ready %v", name, r.Ready)
		}
	}
}

// TestReadings: one reading each, at its bound.
func TestReadings(t *testing.T) {
	for _, c := range []struct {
		name, file, text string
		want             doctor.State
	}{
		{"cores", "proc/stat", "cpu  1 1 1 1 1 1 1 0\ncpu0 1\ncpu1 1\ncpu2 1\n", doctor.Warn},
		{"cores", "proc/stat", "cpu  1 1 1 1 1 1 1 0\ncpu0 1\ncpu1 1\ncpu2 1\ncpu3 1\n", doctor.OK},
		{"affinity", "proc/self/status", "Cpus_allowed_list:\t0-3,6,7\n", doctor.Warn},
		{"affinity", "proc/self/status", "Cpus_allowed_list:\t3-0\n", doctor.Unknown},
		{"quota", "sys/fs/cgroup/cpu.max", "200000 100000", doctor.Warn}, // of a cgroup above it
		{"quota", "proc/self/cgroup", "", doctor.Unknown},
		{"steal", "proc/stat", "cpu  0 0 0 989 0 0 0 11\ncpu0 1\n", doctor.Warn},
		{"steal", "proc/stat", "cpu  0 0 0 990 0 0 0 10\ncpu0 1\n", doctor.OK},
		{"steal", "proc/stat", "cpu  0 0 0 x 0 0 0 10\n", doctor.Unknown},
		{"steal", "proc/stat", "cpu  0 0 0 0 0 0 0 0\n", doctor.Unknown},
		{"load", "proc/loadavg", "0.81 0 0", doctor.Warn},
		{"load", "proc/loadavg", "0.80 0 0", doctor.OK},
		{"governor", "sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "schedutil", doctor.Warn},
		{"descriptors", "proc/self/limits", "Max open files 1 4095 files", doctor.Warn},
		{"descriptors", "proc/self/limits", "Max open files 1 4096 files", doctor.OK},
		{"descriptors", "proc/self/limits", "Max open files unlimited unlimited files", doctor.OK},
		{"ports", "proc/sys/net/ipv4/ip_local_port_range", "1 9999", doctor.Warn},
		{"ports", "proc/sys/net/ipv4/ip_local_port_range", "1 10000", doctor.OK},
		{"ports", "proc/sys/net/ipv4/ip_local_port_range", "9 1", doctor.Unknown},
		{"perf events", "proc/sys/kernel/perf_event_paranoid", "-1", doctor.OK},
		{"ptrace", "proc/sys/kernel/yama/ptrace_scope", "", doctor.Unknown},
		{"cgroup", "sys/fs/cgroup/user.slice/me/cgroup.controllers", "memory", doctor.Warn},
		{"cgroup", "proc/self/mountinfo", v1, doctor.Warn}, // mounted, and this process is in none of them
	} {
		files := healthy()
		files[c.file] = c.text
		r := report(doctor.Files{Root: tree(files), Writable: func(string) bool { return true }, Free: free(5e10)})
		if got := r.Find(doctor.Machine, c.name); got == nil || got.State != c.want || (c.want == doctor.Warn && got.Cure == "") {
			t.Errorf("%s of %q: %+v, want %s", c.name, c.text, got, c.want)
		}
	}
	for free2, want := range map[float64]doctor.State{63 << 20: doctor.Bad, 65 << 20: doctor.Warn, 1 << 30: doctor.OK} {
		r := report(doctor.Files{Root: tree(healthy()), Free: free(free2)})
		if got := r.Find(doctor.Machine, "disk"); got.State != want || r.Ready != (want != doctor.Bad) {
			t.Errorf("%.0f bytes free: %+v, want %s", free2, got, want)
		}
	}
	r := report(doctor.Files{Root: tree(healthy()), Writable: func(name string) bool { return name != "/sys/fs/cgroup/user.slice/me" }})
	if got := r.Find(doctor.Works, "run --cpus"); got.State != doctor.Warn || got.Text != "no: see cgroup" {
		t.Errorf("a cgroup that cannot be written to: %+v", got)
	}
}

// process is a tree with one process, which listens on two addresses and has a file
// open beside.
func process(t *testing.T) fstest.MapFS {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	files := tree(healthy())
	for name, text := range map[string]string{
		"proc/7/status":             "Name:\tshop\nUid:\t1000\t1000\t1000\t1000\nCpus_allowed_list:\t0-1\n",
		"proc/7/cgroup":             "0::/box\n",
		"proc/7/net/tcp":            "  sl  local_address rem_address   st\n   0: 0100007F:1F90 00000000:0000 0A 0:0 0:0 0 1000 0 55\n   1: 0100007F:1F91 00000000:0000 01 0:0 0:0 0 1000 0 56\n   2: 00000000:0050 00000000:0000 0A 0:0 0:0 0 1000 0 99\n",
		"proc/7/net/tcp6":           "  sl  local_address rem_address   st\n   0: 00000000000000000000000000000000:17AC 0:0 0A 0:0 0:0 0 1000 0 57\n",
		"sys/fs/cgroup/box/cpu.max": "50000 100000\n",
	} {
		files[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o444}
	}
	files["proc/7/exe"] = &fstest.MapFile{Data: program, Mode: 0o555}
	for fd, to := range map[string]string{"0": "/dev/null", "3": "socket:[55]", "4": "socket:[56]", "5": "socket:[57]"} {
		files["proc/7/fd/"+fd] = &fstest.MapFile{Data: []byte(to), Mode: fs.ModeSymlink | 0o777}
	}
	return files
}

func TestProcess(t *testing.T) {
	files := process(t)
	p, all := doctor.Files{Root: files}.ReadProcess(7, 1000)
	if p.Build == nil || strings.Join(p.Listens, " ") != "[::]:6060 127.0.0.1:8080" {
		t.Errorf("%+v", p)
	}
	r := doctor.Report{Readings: all}
	r.Conclude()
	for name, want := range map[string]string{
		"process": "7, shop", "owner": "user 1000", "listens": "[::]:6060, 127.0.0.1:8080", "processors": "0-1, quota 0.5 cores",
	} {
		if got := r.Find(doctor.Target, name); got == nil || got.Text != want || got.State != doctor.OK {
			t.Errorf("%s: %+v, want %s", name, got, want)
		}
	}
	validate(t, r)

	state := func(name string, files fstest.MapFS, pid, user int) doctor.State {
		t.Helper()
		_, all := doctor.Files{Root: files}.ReadProcess(pid, user)
		r := doctor.Report{Readings: all}
		r.Conclude()
		validate(t, r)
		return r.Find(doctor.Target, name).State
	}
	if got := state("process", files, 8, 0); got != doctor.Bad {
		t.Errorf("a process that is not there: %s", got)
	}
	if got := state("owner", files, 7, 1001); got != doctor.Warn {
		t.Errorf("another user's: %s", got)
	}
	if got := state("owner", files, 7, 0); got != doctor.OK {
		t.Errorf("another user's, by root: %s", got)
	}
	files["proc/7/exe"] = &fstest.MapFile{Data: []byte("#!/bin/sh\n")}
	if got := state("go", files, 7, 1000); got != doctor.Bad {
		t.Errorf("a script: %s", got)
	}
	delete(files, "proc/7/exe")
	if got := state("go", files, 7, 1000); got != doctor.Unknown {
		t.Errorf("a program that cannot be read: %s", got)
	}
	delete(files, "proc/7/net/tcp")
	delete(files, "proc/7/net/tcp6")
	if got := state("listens", files, 7, 1000); got != doctor.Unknown {
		t.Errorf("ports that cannot be read: %s", got)
	}
	files["proc/7/net/tcp"] = &fstest.MapFile{Data: []byte("sl\n")}
	if got := state("listens", files, 7, 1000); got != doctor.Warn {
		t.Errorf("no port: %s", got)
	}
}

func TestGo(t *testing.T) {
	for version, want := range map[string]doctor.State{
		"go1.26.8": doctor.OK, "go1.22": doctor.OK, "go 1.25": doctor.OK, "devel go1.27-abc": doctor.OK, "go1.21.13": doctor.Warn, "": doctor.Unknown, "(devel)": doctor.Unknown,
	} {
		if got := doctor.GoReading(version, ""); got.State != want {
			t.Errorf("%q: %+v, want %s", version, got, want)
		}
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	name = filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(name, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("not %s (go test -update):\n%s", name, got)
	}
}

// validate holds a report against docs/doctor.schema.json.
func validate(t *testing.T, r doctor.Report) {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile(filepath.FromSlash("../../docs/doctor.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := doctor.JSON(&b, r); err != nil {
		t.Fatal(err)
	}
	var document any
	if err := json.Unmarshal(b.Bytes(), &document); err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(document); err != nil {
		t.Errorf("%v\n%s", err, b.Bytes())
	}
}

func FuzzMachine(f *testing.F) {
	for _, text := range healthy() {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		files := tree(healthy())
		for name := range files {
			files[name].Data = data
		}
		files["proc/7/status"] = &fstest.MapFile{Data: data}
		files["proc/7/exe"] = &fstest.MapFile{Data: data}
		all := doctor.Files{Root: files}
		all.ReadMachine("x")
		all.ReadProcess(7, 0)
	})
}
