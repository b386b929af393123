// Codes by text message: where one signs in, a code is sent at once by a job of the scheduler, which also repeats what the network of
// phones did not take. The network is a process of its own, that takes some milliseconds for each.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"sync/atomic"
	"time"

	"github.com/reugn/go-quartz/job"
	"github.com/reugn/go-quartz/quartz"

	"wild/service"
)

// codes are sent by jobs.
type codes struct {
	network   string
	client    *http.Client
	scheduler quartz.Scheduler
	next      atomic.Int64
	sent      atomic.Int64
}

func open(ctx context.Context, network string) (*codes, error) {
	options := []quartz.SchedulerOpt{quartz.WithOutdatedThreshold(time.Minute)}
	if !service.After() {
		options = append(options, quartz.WithBlockingExecution())
	}
	scheduler, err := quartz.NewStdScheduler(options...)
	if err != nil {
		return nil, err
	}
	scheduler.Start(ctx)
	c := &codes{network: "http://" + network, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}, scheduler: scheduler}
	tidy := job.NewFunctionJob(func(context.Context) (int64, error) { return c.sent.Load(), nil })
	return c, scheduler.ScheduleJob(quartz.NewJobDetail(tidy, quartz.NewJobKey("count")), quartz.NewSimpleTrigger(time.Second))
}

// text sends a message.
func (c *codes) text(ctx context.Context, phone, message string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.network+"/text?phone="+url.QueryEscape(phone)+"&message="+url.QueryEscape(message), nil)
	if err != nil {
		return err
	}
	answer, err := c.client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("network: %s", answer.Status)
	}
	c.sent.Add(1)
	return nil
}

// send has a job send a code, and waits for it.
func (c *codes) send(ctx context.Context, phone string) (code int, err error) {
	code = 100_000 + rand.IntN(900_000)
	done := make(chan error, 1)
	one := job.NewFunctionJob(func(ctx context.Context) (bool, error) {
		err := c.text(ctx, phone, fmt.Sprintf("Your code is %d", code))
		done <- err
		return err == nil, err
	})
	key := quartz.NewJobKeyWithGroup(fmt.Sprintf("code-%d", c.next.Add(1)), "codes")
	if err := c.scheduler.ScheduleJob(quartz.NewJobDetail(one, key), quartz.NewRunOnceTrigger(0)); err != nil {
		return 0, err
	}
	select {
	case err := <-done:
		return code, err
	case <-ctx.Done():
		return 0, errors.Join(ctx.Err(), c.scheduler.DeleteJob(key))
	}
}

func (c *codes) serve(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Phone string `json:"phone"`
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<10)).Decode(&in); err != nil || in.Phone == "" {
		http.Error(w, "which phone?", http.StatusBadRequest)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), 10*time.Second)
	defer cancel()
	code, err := c.send(ctx, in.Phone)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	fmt.Fprintf(w, `{"phone":%q,"digits":%d}`, in.Phone, len(fmt.Sprint(code)))
}

func main() {
	if os.Getenv("ROLE") == "network" {
		network()
		return
	}
	c, err := open(context.Background(), service.Beside("network"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /codes", c.serve)
	mux.HandleFunc("GET /sent", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, c.sent.Load()) })
	service.Run(mux)
}

// network takes a message in four milliseconds.
func network() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /text", func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(4 * time.Millisecond)
		fmt.Fprintln(w, "taken")
	})
	go func() { log.Println(http.Serve(ln, mux)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
