package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"net"
	"net/http"
	"net/http/pprof"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/reflection"

	"github.com/unpark-go/unpark/probe"
	"github.com/unpark-go/unpark/probe/agent"
)

// service is the target of the scripts: a small real service that can misbehave
// in the ways that users' services do.
func service() {
	var s misbehaving
	flag.StringVar(&s.network, "network", "tcp", "tcp, or unix with a path for an address")
	flag.StringVar(&s.addr, "addr", "127.0.0.1:0", "address")
	flag.StringVar(&s.file, "addr-file", "", "write the address to this file")
	flag.StringVar(&s.probeFile, "probe-file", "", "write the probe's address to this file")
	flag.StringVar(&s.mode, "mode", "ok", "how to behave")
	flag.StringVar(&s.pprof, "pprof", "", "probe, plain, html, 404")
	flag.IntVar(&s.burn, "burn", 0, "rounds of hashing per request")
	flag.StringVar(&s.starts, "starts", "", "count starts in this file")
	flag.IntVar(&s.fatal, "fatal", 0, "die under load from this start on")
	flag.String("mark", "", "found again in the process list")
	flag.Parse()
	if err := s.serve(); err != nil {
		fmt.Fprintln(os.Stderr, "service:", err)
		os.Exit(3)
	}
}

type misbehaving struct {
	network, addr     string
	file, mode, pprof string
	probeFile         string
	starts            string
	burn, fatal       int
	mu                sync.Mutex
	count             atomic.Int64 // of requests that have another end
	asked             atomic.Int64 // requests
	loaded            func()       // once there is load; may be nil
}

func (s *misbehaving) serve() error {
	switch s.mode {
	case "exit":
		return fmt.Errorf("config.yaml: no such file or directory")
	case "never":
		time.Sleep(time.Minute)
		return nil
	case "parked":
		s.park()
	case "busy":
		go func() {
			for {
				s.count.Add(1)
			}
		}()
	case "suicide":
		s.dieUnderLoad(2500*time.Millisecond, "panic: index out of range [recovered]")
	}
	if s.pprof == "" || s.pprof == "probe" {
		a, err := agent.Start(agent.Options{})
		if err != nil {
			return err
		}
		if s.probeFile != "" {
			if err := os.WriteFile(s.probeFile, []byte(a.Addr()), 0o600); err != nil {
				return err
			}
		}
	}
	if err := s.dieSoon(); err != nil {
		return err
	}
	ln, err := net.Listen(s.network, s.addr)
	if err != nil {
		return err
	}
	if s.mode == "fleeting" {
		extra, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		time.AfterFunc(time.Second, func() { extra.Close() })
	}
	if s.file != "" {
		if err := os.WriteFile(s.file, []byte(ln.Addr().String()), 0o600); err != nil {
			return err
		}
	}
	if answer, ok := s.raw(); ok {
		return rawServe(ln, answer)
	}
	if s.mode == "grpc" {
		g := grpc.NewServer()
		healthpb.RegisterHealthServer(g, health.NewServer())
		reflection.Register(g)
		return g.Serve(ln)
	}
	return http.Serve(ln, s.routes())
}

// dieSoon counts this start; from the fatal one on the service dies under load.
func (s *misbehaving) dieSoon() error {
	if s.starts == "" {
		return nil
	}
	f, err := os.OpenFile(s.starts, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.WriteString("."); err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil && int(info.Size()) >= s.fatal {
		s.dieUnderLoad(300*time.Millisecond, "panic: out of luck")
	}
	return err
}

// dieUnderLoad ends the service so long after there is load, however long the machine
// took to get there.
func (s *misbehaving) dieUnderLoad(after time.Duration, last string) {
	s.loaded = func() {
		time.AfterFunc(after, func() {
			fmt.Fprintln(os.Stderr, last)
			os.Exit(2)
		})
	}
}

// underLoad is more requests than a check makes of whether the service answers.
const underLoad = 20

// raw returns what a service answers that does not speak HTTP well.
func (s *misbehaving) raw() (answer string, ok bool) {
	answer, ok = map[string]string{
		"garbage": "SSH-2.0-OpenSSH_9.2p1\r\n\r\n",
		"early":   "",
		"half":    "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this",
	}[s.mode]
	return answer, ok
}

// rawServe reads the beginning of each request, answers and closes.
func rawServe(ln net.Listener, answer string) error {
	for {
		c, err := ln.Accept()
		if err != nil {
			return err
		}
		go func() {
			defer c.Close()
			if _, err := c.Read(make([]byte, 4096)); err == nil {
				_, _ = c.Write([]byte(answer))
			}
		}()
	}
}

func (s *misbehaving) routes() http.Handler {
	mux := http.NewServeMux()
	if s.mode == "stalls" {
		mux.Handle("/", probe.Handler(s.stalling()))
		return mux
	}
	mux.HandleFunc("/", s.answer)
	switch s.pprof {
	case "plain":
		mux.HandleFunc("/debug/pprof/", pprof.Index)
		mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	case "html":
		mux.HandleFunc("/debug/", func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprintln(w, "<!doctype html><title>Sign in</title>")
		})
	default:
		mux.HandleFunc("/debug/", http.NotFound)
	}
	return mux
}

// stalling takes a lock for each request, which is kept across a sleep every two seconds.
func (s *misbehaving) stalling() http.Handler {
	var page sync.Mutex
	go func() {
		for range time.Tick(2 * time.Second) {
			s.stall(&page)
		}
	}()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page.Lock()
		s.asked.Add(1)
		page.Unlock()
		fmt.Fprintln(w, "ok")
	})
}

func (s *misbehaving) stall(page *sync.Mutex) {
	page.Lock()
	time.Sleep(400 * time.Millisecond)
	page.Unlock()
}

func (s *misbehaving) answer(w http.ResponseWriter, _ *http.Request) {
	if s.asked.Add(1) == underLoad && s.loaded != nil {
		s.loaded()
	}
	switch s.mode {
	case "5xx":
		http.Error(w, "database is down", http.StatusServiceUnavailable)
	case "hang":
		time.Sleep(time.Minute)
	case "flaky":
		if s.count.Add(1)%10 == 0 {
			http.Error(w, "out of luck", http.StatusBadGateway)
			return
		}
		fmt.Fprintln(w, "ok")
	case "stuck": // every tenth answer takes longer than anybody waits
		if s.count.Add(1)%10 == 0 {
			time.Sleep(time.Minute)
		}
		fmt.Fprintln(w, "ok")
	case "lock":
		s.locked(2 * time.Millisecond)
		fmt.Fprintln(w, "ok")
	case "calibrate":
		s.locked(20 * time.Millisecond)
		fmt.Fprintln(w, "ok")
	case "burn":
		sum := sha256.Sum256(nil)
		for range s.burn {
			sum = sha256.Sum256(sum[:])
		}
		fmt.Fprintf(w, "%x\n", sum)
	default:
		time.Sleep(time.Millisecond)
		fmt.Fprintln(w, "ok")
	}
}

func (s *misbehaving) locked(hold time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	time.Sleep(hold)
}

// park starts 200 goroutines that wait for work that never comes.
func (s *misbehaving) park() {
	work := make(chan int)
	cond := sync.NewCond(&sync.Mutex{})
	for i := range 200 {
		go func() {
			switch i % 4 {
			case 0:
				<-work
			case 1:
				select {
				case <-work:
				case <-time.After(time.Hour):
				}
			case 2:
				cond.L.Lock()
				cond.Wait()
			default:
				for range time.Tick(50 * time.Millisecond) {
				}
			}
		}()
	}
}
