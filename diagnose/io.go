package diagnose

import "github.com/unpark-go/unpark"

func ioRule() Rule {
	return Rule{
		ID: "io", Title: "file and system call waits", Class: unpark.ClassIO,
		Doc: "Reads request-path goroutines found inside blocking system calls: fsync, file reads and writes. Fires from " +
			"a hundredth of a request's time. Silent for background writers, and for waits below a lock that binds: they are its hold.",
		Needs: []unpark.Kind{unpark.KindGoroutine},
		Run: func(ev unpark.Evidence) []unpark.Finding {
			return waitFindings(ev, "io", unpark.ClassIO, []unpark.WaitClass{unpark.WaitSyscall}, ioText)
		},
	}
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
