package arms

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"time"

	"github.com/unpark-go/unpark/labs/expect"
)

// service is a process of a lab that this program started.
type service struct {
	cancel context.CancelFunc
	ended  chan struct{}
	pid    int
}

// start runs a lab's binary; env is added to its environment.
func (b *Bench) start(ctx context.Context, lab expect.Lab, args []string, log io.Writer, env ...string) (*service, error) {
	ctx, cancel := context.WithCancel(ctx)
	c := exec.CommandContext(ctx, b.binary(lab), args...)
	c.Env = append(os.Environ(), append([]string{"UNPARK_PROBE="}, env...)...)
	c.Stderr, c.Dir = log, b.root
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	c.WaitDelay = 5 * time.Second // for those that do not mind a signal
	if err := c.Start(); err != nil {
		cancel()
		return nil, fmt.Errorf("start %s: %w", lab.Name, err)
	}
	s := &service{cancel: cancel, ended: make(chan struct{}), pid: c.Process.Pid}
	go func() {
		_ = c.Wait() // it was told to end, or its absence is noticed
		close(s.ended)
	}()
	return s, nil
}

// stop ends the process and waits for it. A nil service has ended.
func (s *service) stop() {
	if s == nil {
		return
	}
	s.cancel()
	<-s.ended
}

// answers waits until somebody listens on addr.
func (s *service) answers(ctx context.Context, addr string) error {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	for {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", addr)
		if err == nil {
			conn.Close()
			return nil
		}
		select {
		case <-s.ended:
			return fmt.Errorf("wait for %s: the process ended before it listened", addr)
		case <-ctx.Done():
			return fmt.Errorf("wait for %s: %w", addr, err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// calibration is what services say of themselves: a rate, or the ends of a ramp.
type calibration struct {
	Rate float64 `json:"rate_at_rho_095"`
	From float64 `json:"ramp_from_rps"`
	To   float64 `json:"ramp_to_rps"`
}

// Calibrated reports whether the arm's rate comes from the service.
func Calibrated(arm expect.Arm) bool {
	return slices.ContainsFunc(arm.Load, func(s string) bool { return s == fromService || s == rampFromService })
}

// What stands for a rate in expect.yaml.
const (
	fromService     = "calibration"
	rampFromService = "ramp:calibration"
)

// Rate asks the service, and returns what --rate is for it and for those arms of the
// lab that are compared with it. It asks three and takes the one in the middle: a
// stall of the machine in the third of a second that a service measures itself would
// set the load of all of them.
func (b *Bench) Rate(ctx context.Context, lab expect.Lab, arm expect.Arm, s Settings, log io.Writer) (string, error) {
	var all []calibration
	for range 3 {
		c, err := b.calibrated(ctx, lab, arm, log)
		if err != nil {
			return "", err
		}
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b calibration) int { return cmp.Compare(a.Rate+a.To, b.Rate+b.To) })
	switch c := all[1]; {
	case c.To > 0:
		return fmt.Sprintf("ramp:%.0f..%.0f/%.0fs", max(1, c.From), c.To, s.Window.Seconds()), nil
	case c.Rate > 0:
		return fmt.Sprintf("poisson:%.0f/s", c.Rate), nil
	default:
		return "", fmt.Errorf("%s has no rate in its calibration", lab.Name)
	}
}

// calibrated starts the service for a moment.
func (b *Bench) calibrated(ctx context.Context, lab expect.Lab, arm expect.Arm, log io.Writer) (c calibration, err error) {
	addr, err := freeAddr()
	if err != nil {
		return c, err
	}
	p, err := b.start(ctx, lab, append([]string{"-addr", addr}, arm.Args...), log)
	if err != nil {
		return c, err
	}
	defer p.stop()
	if err := p.answers(ctx, addr); err != nil {
		return c, err
	}
	if c, err = ask(ctx, "http://"+addr+"/calibration"); err != nil {
		return c, fmt.Errorf("ask %s for its calibration: %w", lab.Name, err)
	}
	return c, nil
}

func ask(ctx context.Context, url string) (c calibration, err error) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return c, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return c, err
	}
	defer resp.Body.Close()
	return c, json.NewDecoder(resp.Body).Decode(&c)
}

// freeAddr returns an address on which nobody listens now.
func freeAddr() (string, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("find a free port: %w", err)
	}
	defer ln.Close()
	return ln.Addr().String(), nil
}
