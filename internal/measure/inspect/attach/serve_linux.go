//go:build linux && (amd64 || arm64)

package attach

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/unpark-go/unpark/internal/measure/inspect"
	"github.com/unpark-go/unpark/internal/measure/inspect/serve"
)

// Supported says that processes of this system can be read.
const Supported = true

// separate gives the reader a session of its own: Ctrl-C on the terminal is not for it, since it has
// to put things back when unpark is done.
func separate(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// Serve is the reader: it says on out where each process answers, or why it does not, and serves
// them until in ends. Then it puts back what it lent. The sockets are in dir.
func Serve(dir string, o Options, in io.Reader, out io.Writer) (err error) {
	s := &server{dir: dir, options: serve.Options{ReadOnly: o.ReadOnly, MemoryRate: o.MemoryRate}}
	defer func() { err = errors.Join(err, s.stop()) }()
	lines := json.NewEncoder(out)
	for _, pid := range o.PIDs {
		line := said{PID: pid}
		socket, err := s.add(pid)
		if err != nil {
			line.Error = err.Error()
		}
		line.Socket = socket
		if err := lines.Encode(line); err != nil {
			return fmt.Errorf("say where process %d answers: %w", pid, err)
		}
	}
	_, _ = io.Copy(io.Discard, in)
	return nil
}

// server is the pages of some processes.
type server struct {
	dir     string
	options serve.Options
	servers []*http.Server
	done    sync.WaitGroup
}

func (s *server) add(pid int) (socket string, err error) {
	p, err := inspect.Open(pid)
	if err != nil {
		return "", err
	}
	if err := p.CanLend(inspect.Rates{Memory: s.options.MemoryRate}); err != nil {
		return "", err
	}
	socket = filepath.Join(s.dir, strconv.Itoa(pid)+".sock")
	l, err := net.Listen("unix", socket)
	if err != nil {
		return "", fmt.Errorf("process %d: open a socket for it: %w", pid, err)
	}
	handler := serve.New(p, s.options)
	one := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	s.servers = append(s.servers, one)
	s.done.Go(func() { _ = one.Serve(l) })
	return socket, nil
}

// stop ends every request, and waits until what they lent is back; the error says what is not.
func (s *server) stop() error {
	var failed error
	for _, one := range s.servers {
		// Requests end when their connections do; Shutdown then waits for them.
		_ = one.Close()
		failed = errors.Join(failed, one.Handler.(*serve.Handler).Wait())
		_ = one.Shutdown(context.Background())
	}
	s.done.Wait()
	_ = os.RemoveAll(s.dir)
	return failed
}
