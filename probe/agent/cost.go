package agent

import (
	"net/http"
	"runtime"
	"strconv"
)

// costTrailer ends an answer with the CPU seconds that it took of the process, for an observer that keeps to a budget.
// What the answer leaves to the collector, and the moment for which reading goroutines stops the others, are not in it.
const costTrailer = "Unpark-Cpu-Seconds"

// costed has answer run on a thread of its own, whose CPU is then the answer's.
func costed(w http.ResponseWriter, answer func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before, known := threadCPU()
	if known {
		w.Header().Set("Trailer", costTrailer)
	}
	answer()
	if after, ok := threadCPU(); ok && known {
		w.Header().Set(costTrailer, strconv.FormatFloat(after-before, 'f', 6, 64))
	}
}
