//go:build linux && (amd64 || arm64)

package perf

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Sample is one tick: the calls of the thread, the innermost first. The first is where it was;
// the others are return addresses.
type Sample struct {
	Thread int
	Stack  []uint64
	// Return is where the innermost function goes back to as long as it has no frame: the word at the top of the stack, or
	// the link register. 0: it is not known.
	Return uint64
	Time   time.Duration // CPU that it stands for
}

// Samples is what was seen.
type Samples struct {
	All      []Sample
	Interval time.Duration // of a thread's own CPU time, between two
	Lost     uint64        // that found no room
	Threads  int
	// UserOnly says that time inside of the kernel was not counted: it is not allowed to.
	UserOnly bool
}

// ErrRefused says that the kernel does not allow it, wrapped with the cure.
var ErrRefused = errors.New("its CPU may not be sampled")

const (
	// ringPages is the room for samples of one thread; a power of two.
	ringPages = 16
	// look is how often rings are emptied and new threads looked for.
	look = 50 * time.Millisecond
	// mostProcessors is how many processors are sampled as a whole: what other processes compute on
	// them is sampled too, and is read only to be dropped.
	mostProcessors = 64
	// mostDepth is kernel.perf_event_max_stack as it is unless it is set.
	mostDepth = 127
)

// Sampler samples one process until it is stopped.
type Sampler struct {
	pid    int
	attr   unix.PerfEventAttr
	rings  map[int]*ring         // by thread, or by processor
	whole  bool                  // processors are sampled, and samples of other processes are dropped
	seen   map[int]bool          // threads of samples
	before map[int]time.Duration // what threads had run when it began
	out    Samples
	stop   chan struct{}
	done   chan struct{}
	buffer []byte
}

// Start begins to sample a process, hz times for each second that one of its threads computes.
func Start(pid int, hz int) (*Sampler, error) { return start(pid, hz, true) }

// start is Start; where whole processors may not be sampled, threads are.
func start(pid, hz int, whole bool) (*Sampler, error) {
	interval := time.Second / time.Duration(hz)
	s := &Sampler{
		pid: pid, rings: map[int]*ring{}, seen: map[int]bool{}, stop: make(chan struct{}), done: make(chan struct{}),
		attr: unix.PerfEventAttr{
			Type: unix.PERF_TYPE_SOFTWARE, Config: unix.PERF_COUNT_SW_TASK_CLOCK, Size: uint32(unix.PERF_ATTR_SIZE_VER5),
			Sample: uint64(interval), Sample_type: unix.PERF_SAMPLE_TID | unix.PERF_SAMPLE_CALLCHAIN | unix.PERF_SAMPLE_REGS_USER | unix.PERF_SAMPLE_STACK_USER,
			Bits: unix.PerfBitExcludeHv | unix.PerfBitExcludeCallchainKernel, Sample_max_stack: mostDepth,
			Sample_regs_user: 1 << returnRegister, Sample_stack_user: 8,
		},
	}
	s.out.Interval = interval
	if whole && s.processors() {
		go s.run()
		return s, nil
	}
	if err := s.follow(); errors.Is(err, ErrRefused) {
		// Without the kernel's part it may be allowed (perf_event_paranoid 2).
		s.attr.Bits |= unix.PerfBitExcludeKernel
		s.out.UserOnly = true
		if err := s.follow(); err != nil {
			s.close()
			return nil, err
		}
	} else if err != nil {
		s.close()
		return nil, err
	}
	go s.run()
	return s, nil
}

// processors samples the processors that the process may run on, where that is allowed and they are few. An event of a thread
// is taken off its processor and put on again with each switch, which programs a timer each time: a service that waits often
// then computes several percent more, however few samples are taken. One of a processor stays where it is.
func (s *Sampler) processors() bool {
	all := processorsOf(s.pid)
	if len(all) == 0 || len(all) > mostProcessors {
		return false
	}
	attr := s.attr
	attr.Config = unix.PERF_COUNT_SW_CPU_CLOCK
	attr.Bits |= unix.PerfBitExcludeIdle
	// By the clock on the wall, so not in step with what happens a hundred times a second.
	interval := s.out.Interval + s.out.Interval/64
	attr.Sample = uint64(interval)
	for _, cpu := range all {
		r, err := open(attr, -1, cpu)
		if err != nil {
			s.close()
			s.rings = map[int]*ring{}
			return false
		}
		s.rings[cpu] = r
	}
	s.whole, s.out.Interval, s.before = true, interval, ran(s.pid)
	return true
}

// processorsOf are those that any thread of a process may run on.
func processorsOf(pid int) []int {
	entries, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		return nil
	}
	allowedTo := map[int]bool{}
	for _, e := range entries {
		id, err := strconv.Atoi(e.Name())
		var allowed unix.CPUSet
		if err != nil || unix.SchedGetaffinity(id, &allowed) != nil {
			continue // a thread that has ended
		}
		for cpu := range len(allowed) * 64 {
			if allowed.IsSet(cpu) {
				allowedTo[cpu] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(allowedTo))
}

// UserOnly reports whether time inside of the kernel is not counted.
func (s *Sampler) UserOnly() bool { return s.attr.Bits&unix.PerfBitExcludeKernel != 0 }

// run empties the rings until the sampler is stopped.
func (s *Sampler) run() {
	defer close(s.done)
	t := time.NewTicker(look)
	defer t.Stop()
	for {
		select {
		case <-s.stop:
			return
		case <-t.C:
			_ = s.follow() // a thread that cannot be opened has ended
			s.drain()
		}
	}
}

// Stop ends the sampling and returns what was seen.
func (s *Sampler) Stop() Samples {
	close(s.stop)
	<-s.done
	s.drain()
	after := s.before // threads are sampled by their own clocks
	if s.whole {
		after = ran(s.pid)
	}
	s.close()
	s.out.weigh(s.before, after)
	return s.out
}

// follow opens the threads that are not open yet. It fails when none is.
func (s *Sampler) follow() error {
	if s.whole {
		return nil
	}
	entries, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", s.pid))
	if err != nil {
		return fmt.Errorf("threads of process %d: %w", s.pid, err)
	}
	var failed error
	for _, e := range entries {
		id, err := strconv.Atoi(e.Name())
		if err != nil || s.rings[id] != nil {
			continue
		}
		r, err := open(s.attr, id, -1)
		if err != nil {
			failed = err
			continue
		}
		s.rings[id] = r
		s.out.Threads++
	}
	if len(s.rings) == 0 && failed != nil {
		return fmt.Errorf("sample the CPU of process %d: %w", s.pid, refused(failed))
	}
	return nil
}

// refused says what would allow it.
func refused(err error) error {
	if !errors.Is(err, unix.EACCES) && !errors.Is(err, unix.EPERM) {
		if errors.Is(err, unix.ENOSYS) {
			return fmt.Errorf("perf_event_open is not allowed here (seccomp), or not in this kernel: %w", ErrRefused)
		}
		return err
	}
	level, _ := os.ReadFile("/proc/sys/kernel/perf_event_paranoid")
	return fmt.Errorf("%w: run unpark as root or with CAP_PERFMON, or lower kernel.perf_event_paranoid, which is %s: sysctl kernel.perf_event_paranoid=1",
		ErrRefused, strings.TrimSpace(string(level)))
}

func (s *Sampler) drain() {
	for id, r := range s.rings {
		s.buffer = r.take(s.buffer[:0])
		s.decode(s.buffer)
		if !s.whole && r.ended() {
			r.close()
			delete(s.rings, id)
		}
	}
}

func (s *Sampler) close() {
	for _, r := range s.rings {
		r.close()
	}
	s.rings = nil
}
