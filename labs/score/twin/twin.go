// Package twin has a measuring program be the service that it measures: processes of its own binary, of which one can be
// watched while another is not, so that only what is done to a service differs.
package twin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Service is a process of this program that serves at URL, and at URL/answered says how many requests it has answered.
type Service struct {
	URL string
	PID int

	cmd *exec.Cmd
}

// Start starts this program with variables that have it serve on Listener, and waits until it answers.
func Start(ctx context.Context, env ...string) (*Service, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	defer l.Close()
	file, err := l.(*net.TCPListener).File() // handed over, so that no other process gets its port
	if err != nil {
		return nil, err
	}
	defer file.Close()
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	s := &Service{URL: "http://" + l.Addr().String(), cmd: exec.CommandContext(ctx, self)}
	s.cmd.Env = append(os.Environ(), env...)
	s.cmd.ExtraFiles, s.cmd.Stderr = []*os.File{file}, os.Stderr
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	s.PID = s.cmd.Process.Pid
	for deadline := time.Now().Add(time.Minute); ctx.Err() == nil && time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if _, err := Get(ctx, s.URL+"/"); err == nil {
			return s, nil
		}
	}
	return nil, errors.Join(errors.New("the service did not answer within a minute"), s.End())
}

// Listener is what a service was started with.
func Listener() (net.Listener, error) { return net.FileListener(os.NewFile(3, "listener")) }

// End kills the process and waits for it.
func (s *Service) End() error {
	err := s.cmd.Process.Kill()
	_ = s.cmd.Wait() // it was killed
	return err
}

// Used is how many requests the service has answered since it began, and the seconds of CPU that all of its threads took:
// schedstat has nanoseconds, where stat has hundredths of a second.
func (s *Service) Used(ctx context.Context) (requests, cpu float64, err error) {
	text, err := Get(ctx, s.URL+"/answered")
	if err != nil {
		return 0, 0, err
	}
	if requests, err = strconv.ParseFloat(text, 64); err != nil {
		return 0, 0, err
	}
	cpu, err = s.CPU()
	return requests, cpu, err
}

// CPU is the seconds of CPU that all of its threads took.
func (s *Service) CPU() (cpu float64, err error) {
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", s.PID))
	for _, task := range tasks {
		b, err := os.ReadFile(task)
		if err != nil {
			continue // the thread has ended
		}
		ns, _, _ := strings.Cut(string(b), " ")
		v, err := strconv.ParseFloat(ns, 64)
		if err != nil {
			return 0, err
		}
		cpu += v / 1e9
	}
	return cpu, err
}

// Get asks for a page.
func Get(ctx context.Context, url string) (string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return string(b), err
}

// Quartiles says the median of ratios, and their quartiles.
func Quartiles(ratios []float64) string {
	sorted := slices.Sorted(slices.Values(ratios))
	at := func(q float64) float64 { return sorted[int(q*float64(len(sorted)-1)+0.5)] }
	return fmt.Sprintf("median ×%.3f (quartiles %.3f–%.3f)", at(0.5), at(0.25), at(0.75))
}

// Median says the median of ratios with its interval, and their quartiles.
func Median(ratios []float64) string {
	low, high, ok := interval(slices.Sorted(slices.Values(ratios)))
	between := "too few for an interval"
	if ok {
		between = fmt.Sprintf("95 %% %.3f–%.3f", low, high)
	}
	return fmt.Sprintf("%s, %s", Quartiles(ratios), between)
}

// interval is that of the median which holds it with 95 %, whatever the values are distributed like: they lie above or
// below it like coins fall (Conover, Practical Nonparametric Statistics, 3.2). There is none of fewer than six.
func interval(sorted []float64) (low, high float64, ok bool) {
	n := len(sorted)
	least, below := -1, 0.0
	for k := 0; k < n/2; k++ {
		// The chance that k of n are on one side, by logarithms: n may be large.
		all, _ := math.Lgamma(float64(n + 1))
		one, _ := math.Lgamma(float64(k + 1))
		other, _ := math.Lgamma(float64(n - k + 1))
		if below += math.Exp(all - one - other - float64(n)*math.Ln2); below > 0.025 {
			break
		}
		least = k
	}
	if least < 0 {
		return 0, 0, false
	}
	return sorted[least], sorted[n-1-least], true
}

// Seconds says the median of times.
func Seconds(all []float64) string {
	sorted := slices.Sorted(slices.Values(all))
	return fmt.Sprintf("median %.2f s", sorted[len(sorted)/2])
}
