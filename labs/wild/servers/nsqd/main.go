// Command nsqd is the queue of NSQ, whose messages are all kept on disk.
package main

import (
	"flag"
	"io"
	"log"
	"os"
	"os/signal"
	"syscall"

	"github.com/nsqio/nsq/nsqd"
)

func main() {
	opts := nsqd.NewOptions()
	flag.StringVar(&opts.HTTPAddress, "http-address", opts.HTTPAddress, "address of the HTTP interface")
	flag.StringVar(&opts.TCPAddress, "tcp-address", opts.TCPAddress, "address of the TCP interface")
	flag.StringVar(&opts.DataPath, "data-path", "", "folder of the queues")
	flag.Int64Var(&opts.MemQueueSize, "mem-queue-size", opts.MemQueueSize, "messages of a topic or channel that are kept in memory")
	flag.Parse()
	opts.Logger = log.New(io.Discard, "", 0)

	n, err := nsqd.New(opts)
	check(err)
	check(n.LoadMetadata())
	ended := make(chan error, 1)
	go func() { ended <- n.Main() }()
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, os.Interrupt)
	select {
	case err = <-ended:
		check(err)
	case <-stop:
		n.Exit()
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
