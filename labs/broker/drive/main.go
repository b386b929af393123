// Drive loads a broker with cycles of create, claim and complete, counts what was
// acknowledged and what became of it, and prints both beside what the nodes counted
// as JSON. See README.md in the broker's folder.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/unpark-go/unpark/labs/broker/client"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

type config struct {
	urls             []string
	streams          map[string]string
	transport        string
	workers          int
	warmup, duration time.Duration
	lease            time.Duration
}

func parse(args []string, stderr io.Writer) (config, error) {
	c := config{urls: []string{"http://127.0.0.1:8080"}}
	flags := flag.NewFlagSet("drive", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Func("nodes", "nodes as URL or URL=host:port of its gRPC streams, separated by commas (default http://127.0.0.1:8080)", func(s string) error {
		c.urls, c.streams = nil, map[string]string{}
		for one := range strings.SplitSeq(s, ",") {
			url, addr, _ := strings.Cut(one, "=")
			c.urls = append(c.urls, url)
			if addr != "" {
				c.streams[url] = addr
			}
		}
		return nil
	})
	flags.StringVar(&c.transport, "transport", client.Tuned, "default (net/http's: two idle connections per host), tuned, or grpc")
	flags.IntVar(&c.workers, "workers", 32, "cycles under way")
	flags.DurationVar(&c.warmup, "warmup", 2*time.Second, "before counting begins")
	flags.DurationVar(&c.duration, "duration", 15*time.Second, "of counting")
	flags.DurationVar(&c.lease, "lease", 5*time.Second, "of claims")
	if err := flags.Parse(args); err != nil {
		return c, err
	}
	if flags.NArg() > 0 || c.workers < 1 || c.duration <= 0 {
		err := errors.New("give at least one worker, a duration, and no argument beside the flags")
		fmt.Fprintf(stderr, "drive: %v\n", err)
		return c, err
	}
	return c, nil
}

// run drives and returns the exit status: 3 when a task is missing.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	c, err := parse(args, stderr)
	if err != nil {
		return 2
	}
	r, err := drive(ctx, c)
	if err != nil {
		fmt.Fprintf(stderr, "drive: %v\n", err)
		return 1
	}
	e := json.NewEncoder(stdout)
	e.SetIndent("", "  ")
	if err := e.Encode(r); err != nil {
		fmt.Fprintf(stderr, "drive: write the result: %v\n", err)
		return 1
	}
	if len(r.Account.Missing) > 0 {
		return 3
	}
	return 0
}
