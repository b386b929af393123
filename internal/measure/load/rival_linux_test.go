package load

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/unpark-go/unpark"
)

// serverVariable makes the test binary serve answers of so many bytes.
const serverVariable = "UNPARK_LOAD_TEST_SERVER"

func TestMain(m *testing.M) {
	// Most of these tests wait: for a timeout, for a stall to end.
	_ = flag.Set("test.parallel", "8")
	if size, err := strconv.Atoi(os.Getenv(serverVariable)); err == nil {
		serveBytes(size)
		return
	}
	os.Exit(m.Run())
}

// serveBytes answers every request with a body of so many bytes and prints its
// address.
func serveBytes(size int) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("http://" + ln.Addr().String() + "/")
	body := bytes.Repeat([]byte("x"), size)
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetUnencryptedHTTP2(true)
	server := &http.Server{ReadHeaderTimeout: time.Minute, Protocols: protocols, Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(size))
		_, _ = w.Write(body)
	})}
	_ = server.Serve(ln)
}

// startServer runs the server in a process of its own, on the given processor.
func startServer(b *testing.B, size, cpu int) string {
	b.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), serverVariable+"="+strconv.Itoa(size), "GOMAXPROCS=1")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	pin(b, cmd.Process.Pid, cpu)
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	return address[:len(address)-1]
}

// pin keeps all threads of a process on one processor.
func pin(b *testing.B, pid, cpu int) {
	b.Helper()
	threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		b.Fatal(err)
	}
	var set unix.CPUSet
	set.Set(cpu)
	for _, thread := range threads {
		tid, _ := strconv.Atoi(thread.Name())
		if err := unix.SchedSetaffinity(tid, &set); err != nil {
			b.Fatal(err)
		}
	}
}

const (
	rivalConnections = 50
	rivalSeconds     = 4
)

// rival is another generator; those that are not installed are left out.
type rival struct {
	name     string
	args     func(url string) []string
	requests *regexp.Regexp // its first group: how many, or how many a second
	rate     bool
}

// rivals over HTTP/1.1. The first is what costs are divided by.
func rivals() []rival {
	n, d := strconv.Itoa(rivalConnections), strconv.Itoa(rivalSeconds)
	return []rival{
		{"wrk", func(url string) []string { return []string{"-t1", "-c" + n, "-d" + d + "s", url} }, regexp.MustCompile(`(\d+) requests in`), false},
		{"hey", func(url string) []string { return []string{"-z", d + "s", "-c", n, url} }, regexp.MustCompile(`Requests/sec:\s+([\d.]+)`), true},
		{"autocannon", func(url string) []string { return []string{"--json", "-d", d, "-c", n, url} }, regexp.MustCompile(`"requests":\{"average":([\d.]+)`), true},
	}
}

// BenchmarkAgainstRivals compares the processor time for a million requests with
// that of wrk: answers of 4.5 kB, 50 connections, one processor for each side, the
// engines and the rivals in turns. One iteration is one round of all.
func BenchmarkAgainstRivals(b *testing.B) {
	compare(b, rivals(), "", map[string]string{"epoll": "", "conn": engineCrew})
}

// BenchmarkAgainstH2load is the same over HTTP/2 without TLS, one stream for each
// connection.
func BenchmarkAgainstH2load(b *testing.B) {
	n, d := strconv.Itoa(rivalConnections), strconv.Itoa(rivalSeconds)
	compare(b, []rival{{
		"h2load", func(url string) []string { return []string{"-t1", "-c" + n, "-m1", "-D" + d, url} },
		regexp.MustCompile(`finished in [\d.]+m?s, ([\d.]+) req/s`), true,
	}}, protoH2C, map[string]string{"h2c": ""})
}

func compare(b *testing.B, all []rival, protocol string, engines map[string]string) {
	if _, err := exec.LookPath(all[0].name); err != nil {
		b.Skip(all[0].name + " is not installed")
	}
	if runtime.NumCPU() < 2 {
		b.Skip("needs two processors")
	}
	url := startServer(b, 4500, 1)
	pin(b, os.Getpid(), 0) // and every child after this
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	costs := map[string][]float64{}
	for b.Loop() {
		base := 0.0
		for i, r := range all {
			if _, err := exec.LookPath(r.name); err != nil {
				continue
			}
			cost, rate := r.run(b, url)
			b.Logf("%-10s %6.2f CPU-s a million at %.0f/s", r.name, cost, rate)
			if i == 0 {
				base = cost
				continue
			}
			costs[r.name] = append(costs[r.name], cost/base)
		}
		for name, engine := range engines {
			cost, rate := runOurs(b, engine, protocol, url)
			b.Logf("%-10s %6.2f CPU-s a million at %.0f/s", name, cost, rate)
			costs[name] = append(costs[name], cost/base)
		}
	}
	for name, ratios := range costs {
		slices.Sort(ratios)
		b.ReportMetric(ratios[len(ratios)/2], name+"/"+all[0].name)
		b.Logf("%s/%s: median %.2f, %.2f–%.2f of %d", name, all[0].name, ratios[len(ratios)/2], ratios[0], ratios[len(ratios)-1], len(ratios))
	}
}

// run returns the processor time of a million requests and the rate.
func (r rival) run(b *testing.B, url string) (cost, rate float64) {
	b.Helper()
	cmd := exec.Command(r.name, r.args(url)...)
	out, err := cmd.Output()
	if err != nil {
		b.Fatal(err)
	}
	m := r.requests.FindSubmatch(out)
	if m == nil {
		b.Fatalf("%s printed\n%s", r.name, out)
	}
	n, _ := strconv.ParseFloat(string(m[1]), 64)
	if r.rate {
		n *= rivalSeconds
	}
	used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return used.Seconds() / n * 1e6, n / rivalSeconds
}

func runOurs(b *testing.B, engine, protocol, url string) (cost, rate float64) {
	b.Helper()
	plan := unpark.Plan{Mode: unpark.Closed, Connections: rivalConnections, Protocol: protocol, Requests: []unpark.Request{{URL: url}}}
	s, err := newSettings(plan)
	if err != nil {
		b.Fatal(err)
	}
	s.engine = engine
	g, err := s.start(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	pin(b, os.Getpid(), 0)
	time.Sleep(rivalSeconds * time.Second)
	g.Stop()
	l := g.First().Load(context.Background())
	if l.Errors > 0 {
		b.Fatalf("%d errors: %s", l.Errors, l.ErrorSample)
	}
	return l.GeneratorCPU.Or(0) * l.Seconds / float64(l.Requests) * 1e6, l.AchievedRPS
}
