package diagnose

import "github.com/unpark-go/unpark"

func ioRule() Rule {
	return Rule{
		ID: "io", Title: "file and system call waits", Class: unpark.ClassIO,
		Doc: "Reads request-path goroutines found inside blocking system calls (fsync, file reads and writes), and " +
			"waits for one another at one descriptor. Fires from a hundredth of a request's time. Silent for background writers, and for waits below a lock that binds: they are its hold.",
		Needs: []unpark.Kind{unpark.KindGoroutine, unpark.KindBlock},
		Run:   runIO,
	}
}

func runIO(ev unpark.Evidence) []unpark.Finding {
	out := waitFindings(ev, "io", unpark.ClassIO, []unpark.WaitClass{unpark.WaitSyscall}, ioText)
	r := read(ev)
	for _, q := range r.queuesOf(func(l unpark.Lock) bool { return l.Type == descriptor }) {
		if share, ok := q.share.Get(); !ok || share < pauseShare || q.waiters < pauseWaiters {
			continue
		}
		out = append(out, r.descriptorFinding(q))
	}
	return out
}

// descriptorFinding tells of requests that wait for one another at one file or
// connection: one goroutine at a time may write it (internal/poll/fd_mutex.go).
func (r reading) descriptorFinding(q queue) unpark.Finding {
	f := r.lockFinding(q)
	f.Rule, f.Class = "io", unpark.ClassIO
	f.Title = "Requests wait for one another to use one file or connection in " + short(f.Site.Function)
	f.Remedies = []unpark.Remedy{{
		Title: "Let one goroutine write for many: collect records and write them together (64–128)",
		Why:   "a descriptor is written by one goroutine at a time, so each request waits for the calls of those before it",
		Risk:  "a crash loses what was collected; requests that need the write done must wait for their group",
	}, {
		Title: "Use several files or connections",
		Why:   "each has a lock of its own",
		Risk:  "order between them is lost",
	}}
	return f
}

func ioText(w unpark.Wait) (string, []unpark.Remedy) {
	where := short(w.Waiter.Function)
	if touches(w.Stack, "os.(*File).Sync", "internal/poll.(*FD).Fsync", "syscall.Fsync", "syscall.Fdatasync") {
		return "Requests wait for the disk to sync in " + where, []unpark.Remedy{{
			Title: "Group commit: one sync for all requests that wait for one (64–128)",
			Why:   "a sync costs the same for one record and for a hundred",
			Risk:  "each request waits for its group; bound the group by time",
		}, {
			Title: "Sync in the background where losing the last moments is allowed",
			Why:   "then no request waits for the disk",
			Risk:  "a crash loses what was answered but not synced",
		}}
	}
	return "Requests wait inside system calls in " + where, []unpark.Remedy{{
		Title: "Keep what is read again in memory, and write behind a buffer",
		Why:   "each call blocks the request and its thread until the kernel is done",
		Risk:  "memory; a bound and an age are needed",
	}, {
		Title: "Fewer, larger calls",
		Why:   "the cost is mostly per call",
		Risk:  "",
	}}
}
