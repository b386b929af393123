package probetest

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"strconv"
	"time"

	"github.com/unpark-go/unpark/probe/agent"
)

const schema = "unpark.probetest/v1"

// document is window.json.
type document struct {
	Schema     string    `json:"schema"`
	Name       string    `json:"name"`
	Test       string    `json:"test"`
	Start      time.Time `json:"start"`
	End        time.Time `json:"end"`
	Operations int64     `json:"operations"`
	Workers    int       `json:"workers"`
	PID        int       `json:"pid"`
	GOMAXPROCS int       `json:"gomaxprocs"`
	NumCPU     int       `json:"num_cpu"`
	Go         string    `json:"go"`
	Module     string    `json:"module"`
	Rates      rates     `json:"rates"`
	Notes      []string  `json:"notes"`
}

type rates struct {
	Block *int `json:"block_ns"` // nil when unknown
	Mutex int  `json:"mutex_fraction"`
	Mem   int  `json:"mem_bytes"`
}

// cumulative lists the kinds that count since the process started.
func cumulative() []string { return []string{"block", "mutex", "allocs"} }

// window is what was captured, in memory until it is complete.
type window struct {
	doc   document
	files []file
	cpu   *bytes.Buffer // of the CPU profile that runs; nil when none does
}

type file struct {
	name string
	body []byte
}

// begin takes the first readings and starts the CPU profile, as close to the
// window's start as can be.
func (w *window) begin(block *agent.Lease) {
	w.doc = document{
		Schema: schema, PID: os.Getpid(), Go: runtime.Version(),
		GOMAXPROCS: runtime.GOMAXPROCS(0), NumCPU: runtime.NumCPU(),
		Module: mainModule(),
		Rates:  rates{Mem: runtime.MemProfileRate}, Notes: append([]string{}, block.Notes...),
	}
	if block.Known {
		w.doc.Rates.Block = &block.Block
	}
	// The allocs profile shows what was allocated up to the last finished
	// collection (runtime.MemProfile).
	runtime.GC()
	for _, kind := range cumulative() {
		w.read(kind, kind+".base")
	}
	w.cpu = new(bytes.Buffer)
	if err := pprof.StartCPUProfile(w.cpu); err != nil {
		w.cpu = nil
		w.doc.Notes = append(w.doc.Notes, fmt.Sprintf("no CPU profile: %v: run without -cpuprofile", err))
	}
	w.doc.Start = time.Now()
}

// snapshot reads the goroutines while the workers run.
func (w *window) snapshot() { w.read("goroutine", "goroutine") }

// end takes the last readings.
func (w *window) end() {
	w.doc.End = time.Now()
	w.read("block", "block")
	w.read("mutex", "mutex")
	// Stopping takes tenths of a second, in which the workers have stopped too.
	if cpu := w.stopCPU(); cpu != nil {
		w.files = append(w.files, file{"cpu", cpu.Bytes()})
	}
	runtime.GC()
	w.read("allocs", "allocs")
}

// stopCPU stops the CPU profile if this window's runs and returns it.
func (w *window) stopCPU() *bytes.Buffer {
	cpu := w.cpu
	if cpu != nil {
		pprof.StopCPUProfile()
	}
	w.cpu = nil
	return cpu
}

func (w *window) read(kind, name string) {
	var b bytes.Buffer
	if err := pprof.Lookup(kind).WriteTo(&b, 0); err != nil {
		w.doc.Notes = append(w.doc.Notes, fmt.Sprintf("no %s profile: %v", name, err))
		return
	}
	w.files = append(w.files, file{name, b.Bytes()})
}

// save writes the profiles, and window.json when they are all there.
func (w *window) save(dir *directory) error {
	for _, f := range w.files {
		if err := dir.write(strconv.Itoa(w.doc.PID)+"/"+f.name+".pb.gz", f.body); err != nil {
			return err
		}
	}
	text, err := json.MarshalIndent(w.doc, "", "  ")
	if err != nil {
		return fmt.Errorf("encode window.json: %w", err)
	}
	return dir.write("window.json", append(text, '\n'))
}

// declaredBlockRate is the block profile rate that go test has set for
// -blockprofile, 0 without that flag.
func declaredBlockRate() int {
	profile, rate := flag.Lookup("test.blockprofile"), flag.Lookup("test.blockprofilerate")
	if profile == nil || rate == nil || profile.Value.String() == "" {
		return 0
	}
	n, err := strconv.Atoi(rate.Value.String())
	if err != nil {
		return 0
	}
	return n
}
