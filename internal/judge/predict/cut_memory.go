package predict

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// fresh is what the memory that a finding allocates costs where it is used, as a
// share of the target's CPU: the kernel's page faults, where the runtime has given
// memory back and takes it again, and the way to memory that is in no cache. Profiles
// charge both to the code that touches it first. None of it is certain: the low end
// is nothing.
func fresh(s *service, f unpark.Finding) span {
	bytes, ok := f.Cost.BytesPerRequest.Value.Get()
	n := s.m.Requests
	if !ok || n <= 0 || s.cpu <= 0 {
		return span{}
	}
	faults := pageFaults(s.m, bytes*n, f.Share.Or(0))
	// A part of them is in the allocator, which clears memory, and counted there.
	out := span{0, (faults.low+faults.high)/4/n + bytes/streamed, faults.high/n + bytes/scattered}.times(1 / s.cpu)
	code := s.m.Ev.CPU.Shares.App.Or(1) // where profiles show it
	return span{0, min(out.value, code/2), min(out.high, 0.9*code)}
}

// pageFaults is the CPU, in seconds of the window, of the page faults that a share of all
// allocated bytes causes: at most what the kernel took that is not system calls.
func pageFaults(m *model.Model, bytes, share float64) span {
	w := m.Ev.Window
	count := w.Total(func(p unpark.Process) unpark.Number { return p.Faults }).Or(0)
	system := w.Total(func(p unpark.Process) unpark.Number { return p.System }).Or(0) * m.Ev.Seconds
	if count <= 0 || bytes <= 0 || share <= 0 {
		return span{}
	}
	mine := share * min(1, bytes/share/page/count) // a page is touched first but once
	calls := m.Ev.CPU.Shares.Syscall.Or(0) * m.Ev.CPU.Sampled.Or(0)
	most := max(0, system-calls) * mine
	return span{low: min(most, leastFault*count*mine), high: most}
}
