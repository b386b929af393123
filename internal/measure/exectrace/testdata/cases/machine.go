package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"syscall"
	"time"
)

// node is what the collector has to mark.
type node struct {
	left, right *node
	pad         [4]int
}

func grow(depth int) *node {
	if depth == 0 {
		return nil
	}
	return &node{left: grow(depth - 1), right: grow(depth - 1)}
}

// poolGC: requests make garbage beside a heap of many small objects, with so
// little room that they must help to mark it.
func poolGC(b *bench) {
	live := grow(19)
	pool := &sync.Pool{New: func() any { return new([256]*node) }}
	b.handle("/garbage", func(*http.Request) { litter(pool) })
	b.listen(4)
	debug.SetGCPercent(5)
	b.record()
	b.ask("/garbage", "/garbage", "/garbage", "/garbage")
	debug.SetGCPercent(100)
	b.stop(0)
	runtime.KeepAlive(live)
}

func litter(pool *sync.Pool) {
	for end := time.Now().Add(4 * hold); time.Now().Before(end); {
		buf := pool.Get().(*[256]*node)
		for i := range buf {
			buf[i] = grow(3)
		}
		pool.Put(buf)
	}
}

// compute: requests do nothing but work.
func compute(b *bench) {
	b.handle("/compute", func(*http.Request) { burn(hold) })
	b.start()
	b.ask("/compute")
	b.ask("/compute")
	b.stop(0)
}

// blockingSyscall: a read of a pipe that is not in the poller blocks its thread.
func blockingSyscall(b *bench) {
	var fds [2]int
	b.must(syscall.Pipe(fds[:]))
	var reading gathering
	b.handle("/read", func(*http.Request) { b.must(readBlocking(fds[0], &reading)) })
	b.start()
	read := b.begin("/read", "/read")
	reading.await(2)
	time.Sleep(hold)
	_, err := syscall.Write(fds[1], []byte("ab"))
	b.must(err)
	read.Wait()
	b.stop(0)
}

func readBlocking(fd int, reading *gathering) error {
	reading.arrive()
	_, err := syscall.Read(fd, make([]byte, 1))
	return err
}

// fileSync: requests sync a file, over and over.
func fileSync(b *bench) {
	f, err := os.CreateTemp("", "cases")
	b.must(err)
	defer os.Remove(f.Name())
	b.handle("/sync", func(*http.Request) { b.must(syncFile(f)) })
	b.start()
	b.ask("/sync")
	b.ask("/sync")
	b.stop(0)
}

func syncFile(f *os.File) error {
	for end := time.Now().Add(2 * hold); time.Now().Before(end); {
		if _, err := f.WriteAt(make([]byte, 64<<10), 0); err != nil {
			return err
		}
		if err := f.Sync(); err != nil {
			return err
		}
	}
	return nil
}

// pollablePipe: os puts its pipes into the poller, so the goroutine parks.
func pollablePipe(b *bench) {
	r, w, err := os.Pipe()
	b.must(err)
	var reading gathering
	b.handle("/pipe", func(*http.Request) { b.must(readPipe(r, &reading)) })
	b.start()
	read := b.begin("/pipe")
	reading.await(1)
	time.Sleep(hold)
	_, err = w.Write([]byte("a"))
	b.must(err)
	read.Wait()
	b.stop(0)
}

func readPipe(r *os.File, reading *gathering) error {
	reading.arrive()
	_, err := r.Read(make([]byte, 1))
	return err
}

// downstream: a request asks another service, which lives in another process in
// all but name: its goroutine speaks no HTTP that a reader could take for
// another request.
func downstream(b *bench) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	b.must(err)
	go answerLate(ln)
	client := &http.Client{Transport: &http.Transport{}}
	b.handle("/ask", func(*http.Request) { b.must(askBackend(client, "http://"+ln.Addr().String())) })
	b.start()
	b.ask("/ask")
	b.ask("/ask")
	b.stop(0)
	ln.Close()
}

func askBackend(client *http.Client, url string) error {
	answer, err := client.Get(url)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	return err
}

func answerLate(ln net.Listener) {
	for {
		conn, err := ln.Accept()
		if err != nil {
			return
		}
		buf := make([]byte, 4096)
		if _, err := conn.Read(buf); err == nil {
			time.Sleep(hold)
			fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok")
		}
		conn.Close()
	}
}

// callC: requests sleep in C.
func callC(b *bench) {
	b.handle("/c", func(*http.Request) { cgoSleep(hold) })
	b.start()
	b.ask("/c", "/c")
	b.stop(0)
}
