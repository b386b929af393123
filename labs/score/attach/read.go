package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
)

// hertz is the unit of /proc/PID/stat: USER_HZ, which Linux fixes at 100 for all that it tells programs
// (man 5 proc).
const hertz = 100

// cpuSeconds is what a process has used, user and system.
func cpuSeconds(pid int) (float64, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	// The name stands in brackets and may hold anything; user and system time are the 12th
	// and 13th field behind it.
	fields := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
	if len(fields) < 13 {
		return 0, fmt.Errorf("/proc/%d/stat has %d fields", pid, len(fields))
	}
	user, err := strconv.ParseFloat(fields[11], 64)
	if err != nil {
		return 0, err
	}
	system, err := strconv.ParseFloat(fields[12], 64)
	return (user + system) / hertz, err
}

// reading is what a service has done since it began.
type reading struct {
	requests, cpu float64 // seconds
}

func (s *service) read() (reading, error) {
	cpu, err := cpuSeconds(s.cmd.Process.Pid)
	if err != nil {
		return reading{}, err
	}
	answer, err := http.Get(s.url + "answered")
	if err != nil {
		return reading{}, err
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	if err != nil {
		return reading{}, err
	}
	n, err := strconv.ParseFloat(string(b), 64)
	return reading{n, cpu}, err
}
