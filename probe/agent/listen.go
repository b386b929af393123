package agent

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// address is where an agent listens.
type address struct {
	network string // "unix" or "tcp"
	path    string // of the socket
	host    net.TCPAddr
	socket  fs.FileInfo // the socket made here; nil until it was
}

// maxSocketPath is the shortest limit on a socket's path among the systems that
// Go runs on (sun_path of macOS and the BSDs, with its final zero byte).
const maxSocketPath = 103

// parseAddress reads the form of UNPARK_PROBE. Names are not looked up: that
// could hold up the service's start for as long as a name server is away.
func parseAddress(text string, token bool) (address, error) {
	if strings.HasPrefix(text, "unix:") {
		return parseUnix(text)
	}
	host, port, err := net.SplitHostPort(text)
	if err != nil {
		return address{}, fmt.Errorf("read the address %q: %w: write unix:DIR, or HOST:PORT such as 127.0.0.1:6061", text, err)
	}
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return address{}, fmt.Errorf("read the address %q: %q is no port: write a number up to 65535, 0 for any free one", text, port)
	}
	if host == "localhost" {
		host = "127.0.0.1"
	}
	ip := net.ParseIP(host)
	if ip == nil && host != "" {
		return address{}, fmt.Errorf("read the address %q: %q is no IP address: write one, or localhost", text, host)
	}
	if !ip.IsLoopback() && !token {
		return address{}, fmt.Errorf("listen on %s: other machines could read this process's memory there: "+
			"write 127.0.0.1:%s, or set %s and send it as a bearer token", text, port, EnvToken)
	}
	return address{network: "tcp", host: net.TCPAddr{IP: ip, Port: int(number)}}, nil
}

func parseUnix(text string) (address, error) {
	dir := strings.TrimPrefix(text, "unix:")
	if dir == "" {
		return address{}, fmt.Errorf("read the address %q: no folder: write unix:DIR, a folder for one socket per process", text)
	}
	path := filepath.Join(dir, strconv.Itoa(os.Getpid())+".sock")
	if len(path) > maxSocketPath {
		return address{}, fmt.Errorf("listen on %s: the path has %d bytes and a socket's may have %d: name a shorter folder",
			path, len(path), maxSocketPath)
	}
	return address{network: "unix", path: path}, nil
}

func (a *address) listen() (net.Listener, error) {
	if a.network == "unix" {
		return a.listenUnix()
	}
	l, err := net.ListenTCP("tcp", &a.host)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w: free the port, or let every process have its own with %s=unix:DIR or port 0",
			a.host.String(), err, EnvAddress)
	}
	return l, nil
}

// listenUnix makes the socket inside a folder that only this user can enter and
// moves it into place when its mode is right: nothing can connect in between, and
// whoever sees DIR/<pid>.sock can connect to it.
func (a *address) listenUnix() (net.Listener, error) {
	dir, name := filepath.Dir(a.path), filepath.Base(a.path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the socket's folder: %w: name a folder that this user may write", err)
	}
	if err := a.free(); err != nil {
		return nil, err
	}
	private := filepath.Join(dir, "."+strings.TrimSuffix(name, ".sock"))
	// Left over when a process with this number was killed right here.
	if err := os.RemoveAll(private); err != nil {
		return nil, fmt.Errorf("listen on %s: %w: name a folder that this user may write", a.path, err)
	}
	if err := os.Mkdir(private, 0o700); err != nil {
		return nil, fmt.Errorf("listen on %s: %w: name a folder that this user may write", a.path, err)
	}
	defer os.RemoveAll(private)
	l, err := net.ListenUnix("unix", &net.UnixAddr{Net: "unix", Name: filepath.Join(private, "s")})
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w: name a folder on a local file system", a.path, err)
	}
	l.SetUnlinkOnClose(false)
	if err := a.place(filepath.Join(private, "s")); err != nil {
		l.Close()
		return nil, fmt.Errorf("listen on %s: %w: name a folder on a local file system", a.path, err)
	}
	return l, nil
}

func (a *address) place(made string) error {
	if err := os.Chmod(made, 0o600); err != nil {
		return err
	}
	info, err := os.Lstat(made)
	if err != nil {
		return err
	}
	if err := os.Rename(made, a.path); err != nil {
		return err
	}
	a.socket = info
	return nil
}

// free reports an error if something that is not a dead socket has the path.
func (a *address) free() error {
	info, err := os.Lstat(a.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("listen on %s: %w: name a folder that this user may read and write", a.path, err)
	}
	if info.Mode()&fs.ModeSocket == 0 {
		return fmt.Errorf("listen on %s: a file that is no socket is there: remove it, or name another folder", a.path)
	}
	conn, err := net.DialTimeout("unix", a.path, time.Second)
	if err != nil {
		return nil // its process is gone
	}
	conn.Close()
	return fmt.Errorf("listen on %s: a probe answers there already: it is in this program twice "+
		"(unpark run --pkg adds one that a service with probe.Start does not need), "+
		"or containers share the folder: leave one out, or name a folder for each container", a.path)
}

// remove deletes the socket unless another one took its place.
func (a *address) remove() {
	if a.socket == nil {
		return
	}
	if now, err := os.Lstat(a.path); err == nil && os.SameFile(now, a.socket) {
		os.Remove(a.path)
	}
}
