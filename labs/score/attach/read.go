package main

import (
	"io"
	"net/http"
	"strconv"

	"github.com/unpark-go/unpark/internal/measure/target/rusage"
)

// reading is what a service has done since it began.
type reading struct {
	requests, cpu float64 // seconds
}

func (s *service) read() (reading, error) {
	used, err := rusage.ReadProcess(s.cmd.Process.Pid)
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
	return reading{n, used.CPU}, err
}
