package load

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"

	"github.com/unpark-go/unpark"
)

// grpcVariable makes TestServeGRPC a server.
const grpcVariable = "UNPARK_LOAD_TEST_GRPC"

// TestServeGRPC is no test: it is the server process of BenchmarkAgainstGhz, whose
// answers are testdata/grpc/bytes.proto's Bytes of 100 bytes.
func TestServeGRPC(t *testing.T) {
	if os.Getenv(grpcVariable) == "" {
		t.Skip("serves for BenchmarkAgainstGhz")
	}
	answer := append([]byte{1<<3 | 2, 98}, bytes.Repeat([]byte("x"), 98)...)
	s := grpc.NewServer(grpc.ForceServerCodec(bytesCodec{}))
	s.RegisterService(&grpc.ServiceDesc{
		ServiceName: "bench.Echo", HandlerType: (*any)(nil),
		Methods: []grpc.MethodDesc{{MethodName: "Unary", Handler: func(_ any, _ context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
			var in []byte
			return &answer, decode(&in)
		}}},
	}, nil)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println(l.Addr())
	_ = s.Serve(l)
}

func startGRPCServer(b *testing.B, cpu int) (addr string) {
	b.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestServeGRPC$")
	cmd.Env = append(os.Environ(), grpcVariable+"=1", "GOMAXPROCS=1")
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
	if addr, err = bufio.NewReader(out).ReadString('\n'); err != nil {
		b.Fatal(err)
	}
	return strings.TrimSpace(addr)
}

// BenchmarkAgainstGhz compares the processor time for a million unary calls with
// that of ghz: answers of 100 bytes, 50 connections, one processor for each side,
// in turns. One iteration is one round of both. Without ghz, ours are measured
// alone.
func BenchmarkAgainstGhz(b *testing.B) {
	ghz, err := exec.LookPath("ghz")
	if err != nil {
		b.Log("ghz is not installed: no ratio")
	}
	if runtime.NumCPU() < 2 {
		b.Skip("needs two processors")
	}
	addr := startGRPCServer(b, 1)
	pin(b, os.Getpid(), 0) // and every child after this
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var ratios, costs []float64
	for b.Loop() {
		cost, rate := runOurCalls(b, addr)
		costs = append(costs, cost)
		b.Logf("ours %.1f CPU-s a million at %.0f/s", cost, rate)
		if ghz != "" {
			rival, rivalRate := runGhz(b, ghz, addr)
			ratios = append(ratios, cost/rival)
			b.Logf("ghz  %.1f CPU-s a million at %.0f/s", rival, rivalRate)
		}
	}
	slices.Sort(costs)
	b.ReportMetric(costs[len(costs)/2], "CPU-s/M")
	if len(ratios) > 0 {
		slices.Sort(ratios)
		b.ReportMetric(ratios[len(ratios)/2], "cost/ghz")
	}
}

func runOurCalls(b *testing.B, addr string) (cost, rate float64) {
	b.Helper()
	g, err := Start(context.Background(), unpark.Plan{
		Mode: unpark.Closed, Connections: rivalConnections,
		Requests: []unpark.Request{{URL: "grpc://" + addr + "/bench.Echo/Unary", Body: framed("\n\x05hello")}},
	})
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

// runGhz returns the processor time of a million calls and the rate.
func runGhz(b *testing.B, ghz, addr string) (cost, rate float64) {
	b.Helper()
	n := strconv.Itoa(rivalConnections)
	cmd := exec.Command(ghz, "--insecure", "--proto", "testdata/grpc/bytes.proto", "--call", "bench.Echo/Unary", "-d", `{"data":"aGVsbG8="}`,
		"-c", n, "--connections", n, "-z", strconv.Itoa(rivalSeconds)+"s", "--duration-stop", "wait", "-O", "json", addr)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	out, err := cmd.Output()
	if err != nil {
		b.Fatalf("ghz: %v\n%s", err, out)
	}
	var report struct {
		Count float64        `json:"count"`
		RPS   float64        `json:"rps"`
		Codes map[string]int `json:"statusCodeDistribution"`
	}
	if err := json.Unmarshal(out, &report); err != nil || report.Count == 0 || report.Codes["OK"] != int(report.Count) {
		b.Fatalf("ghz: %v, %+v", err, report)
	}
	used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return used.Seconds() / report.Count * 1e6, report.RPS
}
