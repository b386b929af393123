package agent

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
)

const childMark = "UNPARK_TEST_CHILD"

// TestMain lets the test binary play a worker process: it starts the agent as a
// service would and lives until its standard input ends.
func TestMain(m *testing.M) {
	if os.Getenv(childMark) == "" {
		os.Exit(m.Run())
	}
	a, err := Start(Options{})
	if err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
	fmt.Println(a.Addr())
	io.Copy(io.Discard, os.Stdin)
	a.Close()
}

type child struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
	addr  string
}

func startChild(t *testing.T, address string) *child {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childMark+"=1", EnvAddress+"="+address)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	lines := bufio.NewScanner(stdout)
	if !lines.Scan() {
		t.Fatal("the child said nothing")
	}
	return &child{cmd, stdin, lines.Text()}
}

func TestPrefork(t *testing.T) {
	dir := shortDir(t)
	seen := map[int]bool{}
	var children []*child
	for i := 0; i < 3; i++ {
		c := startChild(t, "unix:"+dir)
		children = append(children, c)
		path := filepath.Join(dir, strconv.Itoa(c.cmd.Process.Pid)+".sock")
		if c.addr != "unix:"+path {
			t.Fatalf("child %d: %s, want %s", i, c.addr, path)
		}
		resp, body := get(t, unixClient(t, path), "http://unix/debug/unpark/info")
		var info struct{ PID, PPID int }
		if err := json.Unmarshal([]byte(body), &info); err != nil || resp.StatusCode != 200 {
			t.Fatalf("%s: %v: %s", resp.Status, err, body)
		}
		if info.PID != c.cmd.Process.Pid || info.PPID != os.Getpid() || seen[info.PID] {
			t.Errorf("child %d is %+v", i, info)
		}
		seen[info.PID] = true
	}
	// One that ends well leaves nothing; one that is killed leaves its socket,
	// and neither disturbs the third.
	children[0].stdin.Close()
	if err := children[0].cmd.Wait(); err != nil {
		t.Error(err)
	}
	children[1].cmd.Process.Kill()
	children[1].cmd.Wait()
	names, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(names) != 2 {
		t.Errorf("left: %v", names)
	}
	path := filepath.Join(dir, strconv.Itoa(children[2].cmd.Process.Pid)+".sock")
	if resp, _ := get(t, unixClient(t, path), "http://unix/debug/pprof/heap"); resp.StatusCode != 200 {
		t.Error(resp.Status)
	}
}

func TestSocketMode(t *testing.T) {
	dir := filepath.Join(shortDir(t), "made", "here")
	a, err := Start(Options{Address: "unix:" + dir})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	info, err := os.Stat(a.address.path)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("in the folder: %v", entries)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("left after Close: %v", entries)
	}
}

func TestStaleSocket(t *testing.T) {
	dir := shortDir(t)
	path := filepath.Join(dir, strconv.Itoa(os.Getpid())+".sock")
	dead, err := net.ListenUnix("unix", &net.UnixAddr{Net: "unix", Name: path})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Start(Options{Address: "unix:" + dir}); err == nil {
		t.Fatal("took the place of a socket that answers")
	}
	dead.SetUnlinkOnClose(false)
	dead.Close()
	// Also what a process leaves that was killed while it made its socket.
	if err := os.Mkdir(filepath.Join(dir, "."+strconv.Itoa(os.Getpid())), 0o700); err != nil {
		t.Fatal(err)
	}
	a, err := Start(Options{Address: "unix:" + dir})
	if err != nil {
		t.Fatal(err)
	}
	if resp, _ := get(t, unixClient(t, path), "http://unix/debug/unpark/info"); resp.StatusCode != 200 {
		t.Error(resp.Status)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
}

func TestCloseLeavesOthersSocket(t *testing.T) {
	dir := shortDir(t)
	a, err := Start(Options{Address: "unix:" + dir})
	if err != nil {
		t.Fatal(err)
	}
	path := a.address.path
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("removed what was not its own: %v", err)
	}
}
