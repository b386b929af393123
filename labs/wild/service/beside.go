package service

import (
	"bufio"
	"log"
	"os"
	"os/exec"
	"strings"
)

// child is kept, so that its standard input stays open for as long as this program runs: it
// ends when that is closed.
var child *exec.Cmd

// Beside runs this program again as what a case needs beside it, a database or another
// service (ROLE=role, and what env adds to that), and returns the address that it prints first.
func Beside(role string, env ...string) string {
	child = exec.Command(os.Args[0])
	child.Env = append(append(os.Environ(), "ROLE="+role), env...)
	child.Stderr = os.Stderr
	if _, err := child.StdinPipe(); err != nil {
		log.Fatal(err)
	}
	out, err := child.StdoutPipe()
	if err != nil {
		log.Fatal(err)
	}
	if err := child.Start(); err != nil {
		log.Fatal(err)
	}
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		log.Fatalf("%s: %v", role, err)
	}
	return strings.TrimSpace(address)
}
