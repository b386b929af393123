// Command cases records one execution trace of a small HTTP service in which one
// thing keeps requests waiting, so that what a reader of traces must say of it is
// known beforehand.
//
//	cases NAME FILE
//	cases -list
//
// Every case waits for its waiters to stand where they should and then for at
// least 20 ms, so that shares of time are known to a few percent on a busy
// machine. Functions that wait or hold have names of their own: tests name them.
package main

import (
	"fmt"
	"os"
	"runtime"
	"sort"
	"time"
)

// hold is how long the one that others wait for keeps them waiting.
const hold = 60 * time.Millisecond

// tooLong ends a case that is stuck.
const tooLong = 30 * time.Second

type scenario struct {
	procs int // GOMAXPROCS; 0: the machine's
	run   func(b *bench)
}

func scenarios() map[string]scenario {
	all := map[string]scenario{
		"pending-writer":  {run: pendingWriter},
		"starvation":      {run: starvation},
		"lock-send":       {run: lockSend},
		"nested-locks":    {run: nestedLocks},
		"flusher":         {run: flusher},
		"preempted":       {run: preempted, procs: 1},
		"elsewhere":       {run: elsewhere},
		"broadcast":       {run: broadcast},
		"fan-out":         {run: fanOut},
		"helpers":         {run: helpers},
		"once":            {run: once},
		"semaphore":       {run: semaphore},
		"stages":          {run: stages},
		"workers":         {run: workers(1)},
		"idle-workers":    {run: workers(8)},
		"select-timeout":  {run: selectTimeout},
		"timer":           {run: timer},
		"after-func":      {run: afterFunc},
		"rate-limit":      {run: rateLimit},
		"back-off":        {run: backOff},
		"pool-gc":         {run: poolGC},
		"compute":         {run: compute},
		"syscall":         {run: blockingSyscall},
		"fsync":           {run: fileSync},
		"pipe":            {run: pollablePipe},
		"downstream":      {run: downstream},
		"edges":           {run: edges},
		"back-to-back":    {run: backToBack},
		"short-lived":     {run: shortLived},
		"between":         {run: betweenRequests},
		"unused":          {run: unused},
		"pipelined":       {run: pipelined},
		"posts":           {run: posts},
		"two-generations": {run: twoGenerations},
		"tls":             {run: overTLS},
		"http2":           {run: overHTTP2},
		"tour":            {run: tour},
		"constant-holds":  {run: queue(constantHolds(120))},
		"spread-holds":    {run: queue(exponentialHolds(120))},
		"sparse-holds":    {run: sparse},
	}
	if flightRecorder != nil {
		all["flight-recorder"] = scenario{run: recorded}
	}
	if cgoSleep != nil {
		all["cgo"] = scenario{run: callC}
	}
	return all
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "cases:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	all := scenarios()
	if len(args) == 1 && args[0] == "-list" {
		names := make([]string, 0, len(all))
		for name := range all {
			names = append(names, name)
		}
		sort.Strings(names)
		for _, name := range names {
			fmt.Println(name)
		}
		return nil
	}
	if len(args) != 2 {
		return fmt.Errorf("usage: cases NAME FILE")
	}
	s, ok := all[args[0]]
	if !ok {
		return fmt.Errorf("no case %q; cases -list names them", args[0])
	}
	if s.procs > 0 {
		runtime.GOMAXPROCS(s.procs)
	}
	b, err := newBench(args[1])
	if err != nil {
		return err
	}
	time.AfterFunc(tooLong, func() { b.fail(fmt.Errorf("%s: not done after %v", args[0], tooLong)) })
	s.run(b)
	return nil
}
