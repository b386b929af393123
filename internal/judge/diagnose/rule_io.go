package diagnose

import (
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/roles"
)

func ioRule() Rule {
	return Rule{
		ID: "io", Title: "file and system call waits", Class: unpark.ClassIO,
		Doc: "Reads request-path goroutines found inside blocking system calls (fsync, file reads and writes), and " +
			"waits for one another at one descriptor, and waits for a goroutine that makes such calls, as a trace shows; without one those for a library's goroutine that dumps find in a sync. Fires from a hundredth of a request's time, or where a trace has them as half of what makes the slowest requests slow. Silent for background writers, and for waits below a lock that binds: they are its hold.",
		Needs:      []unpark.Kind{unpark.KindGoroutine, unpark.KindBlock},
		Run:        runIO,
		Supersedes: []Supersession{{Rule: "syscall", Same: sameDescriptor, Take: takeCalls}},
	}
}

func runIO(m *model.Model) []unpark.Finding {
	return stalled(m, waitFindings(m, "io", unpark.ClassIO, m.IO, ioText))
}

func ioText(p model.Wait) (string, []unpark.Remedy) {
	w := p.Heaviest
	where := short(w.Waiter.Function)
	if p.Calls != nil {
		w.Stack = append([]unpark.Site{p.Calls.Call, p.Calls.Site}, w.Stack...)
		where += fmt.Sprintf(" until another goroutine has made its calls (%s in %s)", short(p.Calls.Call.Function), short(p.Calls.Site.Function))
	}
	if roles.On(w.Stack, roles.Sync) {
		group := "Group commit: one sync for all requests that wait for one (64–128)"
		if p.Calls != nil { // one goroutine may sync for many already
			group = "Group commit: let each sync serve all requests that wait, and the next group form meanwhile (64–128)"
		}
		return "Requests wait for the disk to sync in " + where, []unpark.Remedy{{
			Title: group,
			Why:   "a sync costs the same for one record and for a hundred",
			Risk:  "each request waits for its group; bound the group by time",
		}, {
			Title: "Sync in the background where losing the last moments is allowed",
			Why:   "then no request waits for the disk",
			Risk:  "a crash loses what was answered but not synced",
		}}
	}
	if roles.On(w.Stack, roles.Descriptor) {
		return "Requests wait for one another to use one file or connection in " + where, []unpark.Remedy{{
			Title: "Let one goroutine write for many: collect records and write them together (64–128)",
			Why:   "one goroutine at a time may write a descriptor, so each request waits for the calls of those before it",
			Risk:  "a crash loses what was collected; requests that need the write done must wait for their group",
		}, {
			Title: "Use several files or connections",
			Why:   "each has a lock of its own",
			Risk:  "order between them is lost",
		}}
	}
	return "Requests wait inside system calls in " + where, []unpark.Remedy{{
		Title: "Keep what is read again in memory, and write behind a buffer",
		Why:   "each call blocks the request and its thread until the kernel is done",
		Risk:  "memory; a bound and an age are needed",
	}, {
		Title: "Fewer, larger calls: a bufio.Reader or bufio.Writer, or one read or write for many records",
		Why:   "the cost is mostly per call",
		Risk:  "",
	}}
}
