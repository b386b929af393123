package slowdown

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// TestSpinCosts builds a program that is delayed, and sees that a delay takes the CPU
// that it says, that one in so many is, and that nothing is spent without a dose.
func TestSpinCosts(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
	dir := t.TempDir()
	d := Spot{}.Delay(1, "calibration")
	const calls = 4000
	for name, text := range map[string]string{
		"go.mod":    "module example.com/calibration\n\ngo 1.21\n",
		"main.go":   "package main\n\nfunc main() {\n\tfor i := 0; i < 4000; i++ {\n\t\t" + d.Call() + "()\n\t}\n\t" + "linger()\n}\n",
		"linger.go": "package main\n\nimport \"time\"\n\nfunc linger() { time.Sleep(200 * time.Millisecond) }\n",
		d.File():    d.Source("main"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "build", "-o", "out", ".")
	build.Dir = dir
	build.Env = append(os.Environ(), "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := func(spin time.Duration, every int) (cpu, count, spent float64) {
		logs := t.TempDir()
		cmd := exec.Command(filepath.Join(dir, "out"))
		cmd.Env = append(os.Environ(), d.Env(spin, every, logs)...)
		if err := cmd.Run(); err != nil {
			t.Fatal(err)
		}
		names, err := filepath.Glob(filepath.Join(logs, d.Logs()))
		if err != nil || len(names) != 1 {
			t.Fatalf("logs %v, %v", names, err)
		}
		f, err := os.Open(names[0])
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		count, spent, err = ReadLog(f, time.Unix(0, 0), time.Now().Add(time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		return (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), count, spent
	}
	idle, count, spent := run(0, 1)
	if count != calls || spent != 0 {
		t.Errorf("without a dose: %v calls, %v s", count, spent)
	}
	for _, c := range []struct {
		spin  time.Duration
		every int
	}{{100 * time.Microsecond, 1}, {10 * time.Microsecond, 1}, {200 * time.Microsecond, 4}} {
		cpu, count, spent := run(c.spin, c.every)
		want := c.spin.Seconds() * calls / float64(c.every)
		// A spin ends at the first reading of the clock behind its length.
		if count != calls || spent < want || spent > 1.15*want {
			t.Errorf("%v of one in %d: %v calls, %v s, want %v s", c.spin, c.every, count, spent, want)
		}
		// What the kernel charges is in ticks, and a neighbour on the core slows both.
		if used := cpu - idle; used < 0.7*want || used > 1.6*want+0.03 {
			t.Errorf("%v of one in %d takes %v s of CPU, want %v s", c.spin, c.every, used, want)
		}
	}
}
