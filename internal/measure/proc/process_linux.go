package proc

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// Read reads what /proc tells of a process, also of one that is dead. The error wraps
// fs.ErrNotExist or syscall.ESRCH when there is none.
func Read(pid int) (Process, error) {
	text, err := os.ReadFile(folder(pid) + "/stat")
	if err != nil {
		var p *fs.PathError
		if errors.As(err, &p) {
			err = p.Err
		}
		return Process{}, err
	}
	return parseStat(string(text))
}

// PIDs lists the processes of this machine, unsorted.
func PIDs() ([]int, error) { return numbers("/proc") }

// Threads lists the threads of a process, unsorted.
func Threads(pid int) ([]int, error) { return numbers(folder(pid) + "/task") }

func folder(pid int) string { return "/proc/" + strconv.Itoa(pid) }

// numbers lists the entries of a folder that are numbers, without asking for the kind
// of each: /proc is read often.
func numbers(dir string) ([]int, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	ns := make([]int, 0, len(names))
	for _, name := range names {
		if n, err := strconv.Atoi(name); err == nil {
			ns = append(ns, n)
		}
	}
	return ns, nil
}

// Command returns the program and arguments that a process was started with, at most
// 200 bytes; its name when it has cleared them.
func (p Process) Command() string {
	text, err := os.ReadFile(folder(p.PID) + "/cmdline")
	line := strings.TrimSpace(strings.ReplaceAll(string(text), "\x00", " "))
	if errors.Is(err, fs.ErrNotExist) || line == "" {
		return p.Name
	}
	return cut([]string{strings.ToValidUTF8(clean([]byte(line)), "�")})
}

// signal sends a signal unless the process ended and its PID was reused. One that
// has ended is no error.
func (p Process) signal(sig syscall.Signal) error {
	if now, err := Read(p.PID); err != nil || now.Start != p.Start {
		return nil
	}
	if err := syscall.Kill(p.PID, sig); err != nil && !errors.Is(err, syscall.ESRCH) {
		return err
	}
	_ = syscall.Kill(p.PID, syscall.SIGCONT) // a stopped one would not hear it
	return nil
}
