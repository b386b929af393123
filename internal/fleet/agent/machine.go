package agent

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

// bootID names the kernel that runs here; empty where there is none to ask.
func bootID() string {
	text, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// freeMemory is what programs can still have, in bytes; 0 where that is not known.
func freeMemory() float64 {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	_, rest, ok := bytes.Cut(text, []byte("MemAvailable:"))
	if f := bytes.Fields(rest); ok && len(f) > 0 {
		kb, err := strconv.ParseFloat(string(f[0]), 64)
		if err == nil {
			return kb * 1024
		}
	}
	return 0
}
