// Package service is the shell that the wild cases share: one listener for the
// load, one for the profiles, and an end on SIGTERM. It has no dependencies, so that
// a case's module graph is that of the module it is about.
package service

import (
	"context"
	"log"
	"net"
	"net/http"
	"net/http/pprof"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"
)

// After says that a case whose fix is in its own code runs as fixed (VARIANT=after).
func After() bool { return os.Getenv("VARIANT") == "after" }

// Run serves h over HTTP/1.1 on $PORT until SIGTERM.
func Run(h http.Handler) {
	srv := &http.Server{Handler: h}
	ln := Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	Wait()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = srv.Shutdown(ctx)
}

// Listen returns the listener on $PORT, for servers that bring their own protocol.
func Listen() net.Listener { return listen("PORT") }

// Wait serves the profiles on $PPROF_PORT and returns on SIGTERM or Ctrl-C.
func Wait() {
	if os.Getenv("PROFILE_RATES") == "1" {
		runtime.SetMutexProfileFraction(1)
		runtime.SetBlockProfileRate(10000)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	ln := listen("PPROF_PORT")
	go func() { log.Println(http.Serve(ln, mux)) }()
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, os.Interrupt)
	<-stop
}

func listen(env string) net.Listener {
	ln, err := net.Listen("tcp", "127.0.0.1:"+os.Getenv(env))
	if err != nil {
		log.Fatalf("%s: %v", env, err)
	}
	return ln
}
