// Package probetest profiles a function under concurrent load from a Go test, so
// that unpark can say what limits it:
//
//	func TestCacheUnderLoad(t *testing.T) {
//		c := newCache()
//		probetest.Run(t, "cache", probetest.Options{Workers: 64}, func(worker int) {
//			c.Get(worker)
//		})
//	}
//
//	go test -run TestCacheUnderLoad -v -count=1 .
//	unpark diagnose testdata/unpark/cache-001
//
// After a warm-up, one window is taken in which the workers call the function
// while cpu, mutex, block, allocs and goroutine are captured. Run logs the
// throughput (go test shows it with -v) and skips under -short. Rates and the CPU
// profile are put back before Run returns, also when the function fails the test
// or panics. One window can be open in a process: such tests must not be parallel.
//
// # Where it goes
//
// A run is one directory: Options.Dir itself, or a new NAME-NNN, numbered from
// 001, in $UNPARK_TEST_DIR or else in testdata/unpark beside the test, which gets
// a .gitignore. Nothing is overwritten: the highest number is the latest run, and
// an Options.Dir that holds a window fails the test. A window that did not end
// well leaves no directory.
//
// # Format
//
//	NAME-NNN/window-01/window.json
//	NAME-NNN/window-01/PID/cpu.pb.gz            over the window
//	NAME-NNN/window-01/PID/goroutine.pb.gz      at its end, workers still running
//	NAME-NNN/window-01/PID/KIND.base.pb.gz      block, mutex, allocs at its start
//	NAME-NNN/window-01/PID/KIND.pb.gz           the same at its end
//
// The last three kinds count since the process started: the window is the second
// file minus the first (go tool pprof -base KIND.base.pb.gz KIND.pb.gz). A kind
// that could not be captured has no file, and a note in window.json says why.
//
// window.json is one object:
//
//	schema        "unpark.probetest/v1"
//	name, test    the name given to Run, and t.Name()
//	start, end    RFC 3339 times of the window
//	operations    calls of the function that returned within it
//	workers       goroutines that called it
//	pid, gomaxprocs, num_cpu, go, module
//	rates         block_ns (null: not known), mutex_fraction (0: off),
//	              mem_bytes (runtime.MemProfileRate)
//	notes         texts; what was not captured and why
//
// It is written last: a directory without it is an incomplete run.
package probetest
