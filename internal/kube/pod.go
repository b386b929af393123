package kube

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/unpark-go/unpark/internal/kube/parcel"
)

const (
	ordersFile = "orders.json"
	socketName = "handover.sock" // beside the run directory
)

// orders are what the coordinator's pod is to do. They are in the run's Secret: headers of
// requests can be secrets, too.
type orders struct {
	Args []string `json:"args"`
	Dir  string   `json:"dir"` // the run directory that Args name
}

func encode(o orders) (string, error) {
	text, err := json.Marshal(o)
	return string(text), err
}

// Server is what runs in the coordinator's pod.
type Server struct {
	Orders  string    // file
	Ready   string    // address that is listened on when there is something to fetch
	Command string    // unpark
	Version string    // of it
	Log     io.Writer // progress: the log of the pod
}

// Serve runs the command of the orders and then hands its run directory over to whoever asks
// (Take), until ctx ends. It has no end of its own: the Job has one.
func Serve(ctx context.Context, s Server) error {
	text, err := os.ReadFile(s.Orders)
	if err != nil {
		return fmt.Errorf("read the orders of the run: %w", err)
	}
	var o orders
	if err := json.Unmarshal(text, &o); err != nil {
		return fmt.Errorf("read the orders of the run in %s: %w", s.Orders, err)
	}
	listener, err := net.Listen("unix", filepath.Join(filepath.Dir(o.Dir), socketName))
	if err != nil {
		return fmt.Errorf("listen for who fetches the run: %w", err)
	}
	defer listener.Close()
	command, interrupt := context.WithCancel(ctx)
	defer interrupt()
	ended := make(chan parcel.End, 1)
	go func() { ended <- s.run(command, o) }()
	asked := make(chan net.Conn)
	go accept(ctx, listener, asked, interrupt)

	var end parcel.End
	var waiting []net.Conn
	for done := false; !done; {
		select {
		case end = <-ended:
			done = true
		case c := <-asked:
			waiting = append(waiting, c)
		}
	}
	if ctx.Err() == nil {
		ready, err := net.Listen("tcp", s.Ready)
		if err != nil {
			return fmt.Errorf("tell that the run ended: %w", err)
		}
		defer ready.Close()
		go drop(ready)
	}
	dir := o.Dir
	if _, err := os.Stat(dir); err != nil {
		dir, end.Partial = o.Dir+".partial", true
	}
	for {
		for _, c := range waiting {
			_ = parcel.Pack(c, dir, end) // one that breaks off is asked for again
			_ = c.Close()
		}
		select {
		case <-ctx.Done():
			return nil
		case c := <-asked:
			waiting = []net.Conn{c}
		}
	}
}

// run is the command, whose progress goes to the log of the pod.
func (s Server) run(ctx context.Context, o orders) parcel.End {
	var said lines
	cmd := exec.CommandContext(ctx, s.Command, o.Args...) //nolint:gosec // unpark itself
	cmd.Stdout, cmd.Stderr = io.Discard, io.MultiWriter(s.Log, &said)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 15 * time.Second
	end := parcel.End{Version: s.Version}
	if err := cmd.Run(); err != nil {
		end.Status = 1
		var exit *exec.ExitError
		if errors.As(err, &exit) && exit.ExitCode() > 0 {
			end.Status = exit.ExitCode()
		}
		if end.Said = said.last(); end.Said == "" {
			end.Said = err.Error()
		}
	}
	return end
}

// accept reads what each connection asks for: its word is "take", or "interrupt" when the run
// is to end first.
func accept(ctx context.Context, l net.Listener, asked chan<- net.Conn, interrupt func()) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		word := make([]byte, 1)
		_ = c.SetReadDeadline(time.Now().Add(5 * time.Second))
		if _, err := io.ReadFull(c, word); err != nil {
			_ = c.Close()
			continue
		}
		if word[0] == 'i' {
			interrupt()
		}
		select {
		case asked <- c:
		case <-ctx.Done():
			_ = c.Close()
			return
		}
	}
}

// drop closes what the kubelet opens to see that the port answers.
func drop(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		_ = c.Close()
	}
}

// Take copies the run directory of the pod's server to w, as a parcel, when its run has
// ended; with interrupt it is told to end.
func Take(ctx context.Context, dir string, interrupt bool, w io.Writer) error {
	var d net.Dialer
	c, err := d.DialContext(ctx, "unix", filepath.Join(dir, socketName))
	if err != nil {
		return fmt.Errorf("ask for the run of this pod: %w", err)
	}
	defer c.Close()
	stop := context.AfterFunc(ctx, func() { _ = c.Close() })
	defer stop()
	word := "t"
	if interrupt {
		word = "i"
	}
	if _, err := io.WriteString(c, word); err != nil {
		return fmt.Errorf("ask for the run of this pod: %w", err)
	}
	if _, err := io.Copy(w, c); err != nil {
		return fmt.Errorf("copy the run of this pod: %w", err)
	}
	return nil
}

// lines keeps the last words of a command.
type lines struct{ text string }

func (l *lines) Write(p []byte) (int, error) {
	const most = 4 << 10
	l.text += string(p)
	l.text = l.text[max(0, len(l.text)-most):]
	return len(p), nil
}

// last is the last line of the command itself.
func (l *lines) last() string {
	all := strings.Split(strings.TrimSpace(l.text), "\n")
	for i := len(all) - 1; i >= 0; i-- {
		if said, ok := strings.CutPrefix(all[i], "unpark: "); ok {
			return said
		}
	}
	return strings.TrimSpace(all[len(all)-1])
}
