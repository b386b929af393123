package load

import (
	"bufio"
	"bytes"
	"context"
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
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
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

// BenchmarkAgainstWrk compares the processor time for a million requests with
// that of wrk: answers of 4.5 kB, 50 connections, one processor for each side, the
// engines and wrk in turns. One iteration is one round of all.
func BenchmarkAgainstWrk(b *testing.B) {
	wrk, err := exec.LookPath("wrk")
	if err != nil {
		b.Skip("wrk is not installed")
	}
	if runtime.NumCPU() < 2 {
		b.Skip("needs two processors")
	}
	url := startServer(b, 4500, 1)
	pin(b, os.Getpid(), 0) // and every child after this
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	engines := map[string]string{"epoll": "", "conn": engineCrew}
	ratios, rates := map[string][]float64{}, map[string][]float64{}
	for b.Loop() {
		rival, rivalRate := runWrk(b, wrk, url)
		for name, engine := range engines {
			cost, rate := runOurs(b, engine, url)
			ratios[name] = append(ratios[name], cost/rival)
			rates[name] = append(rates[name], rate/rivalRate)
			b.Logf("%s %.2f CPU-s a million at %.0f/s, wrk %.2f at %.0f/s", name, cost, rate, rival, rivalRate)
		}
	}
	for name := range engines {
		slices.Sort(ratios[name])
		slices.Sort(rates[name])
		b.ReportMetric(ratios[name][len(ratios[name])/2], name+"-cost/wrk")
		b.ReportMetric(rates[name][len(rates[name])/2], name+"-rate/wrk")
	}
}

// runWrk returns the processor time of a million requests and the rate.
func runWrk(b *testing.B, wrk, url string) (cost, rate float64) {
	b.Helper()
	cmd := exec.Command(wrk, "-t1", "-c"+strconv.Itoa(rivalConnections), "-d"+strconv.Itoa(rivalSeconds)+"s", url)
	out, err := cmd.Output()
	if err != nil {
		b.Fatal(err)
	}
	m := regexp.MustCompile(`(\d+) requests in`).FindSubmatch(out)
	if m == nil {
		b.Fatalf("wrk printed\n%s", out)
	}
	n, _ := strconv.ParseFloat(string(m[1]), 64)
	used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return used.Seconds() / n * 1e6, n / rivalSeconds
}

func runOurs(b *testing.B, engine, url string) (cost, rate float64) {
	b.Helper()
	s, err := newSettings(unpark.Plan{Mode: unpark.Closed, Connections: rivalConnections, Requests: []unpark.Request{{URL: url}}})
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
	l := first(g).Load(context.Background())
	if l.Errors > 0 {
		b.Fatalf("%d errors: %s", l.Errors, l.ErrorSample)
	}
	return l.GeneratorCPU.Or(0) * l.Seconds / float64(l.Requests) * 1e6, l.AchievedRPS
}
