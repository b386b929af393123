package diagnose

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/roles"
)

func downstreamRule() Rule {
	return Rule{
		ID: "downstream", Title: "answers of other services", Class: unpark.ClassDownstream,
		Doc: "Reads request-path waits for an answer from another service or a database. Fires from a hundredth of a " +
			"request's time: then the limit is not in this process. Also where requests wait for a goroutine that waits for the other end of a connection, as a trace shows. Silent for idle connections and background polling, " +
			"and where each answer comes over a new connection and is ready soon: then the connections are the cause.",
		Needs: []unpark.Kind{unpark.KindGoroutine, unpark.KindBlock},
		Run: func(m *model.Model) []unpark.Finding {
			out := alike(m, onBehalf(waitFindings(m, "downstream", unpark.ClassDownstream, m.Answers, downstreamText)))
			for i := range out {
				outOfTime(m, &out[i])
				out[i].Facts = append(out[i].Facts, peerFacts(m)...)
			}
			return out
		},
	}
}

// peerFacts names whom the service has connections to, most of them first. Which of them a
// wait is for no profile says.
func peerFacts(m *model.Model) []unpark.Fact {
	var out []unpark.Fact
	for _, p := range m.Ev.Window.Peers[:min(len(m.Ev.Window.Peers), mostPeers)] {
		who := "on another machine"
		switch {
		case p.Self && m.Ev.Window.Profiled(p.PID):
			who = "the service itself"
		case p.Self:
			who = fmt.Sprintf("%s, pid %d, which the service started and which has no profile", p.Name, p.PID)
		case p.PID > 0:
			who = fmt.Sprintf("%s, pid %d, on this machine", p.Name, p.PID)
		}
		source := "/proc/net/tcp"
		if strings.HasPrefix(p.Address, "unix:") {
			source = "sock_diag(7)"
		}
		out = append(out, fact(fmt.Sprintf("connections to %s (%s)", p.Address, who), float64(p.Connections), "count", source))
	}
	return out
}

// otherEnd is what to do where it is not known what is at the other end.
func otherEnd() []unpark.Remedy {
	return []unpark.Remedy{{
		Title: "Look at the other end under this load: another service that answers, or a client that sends or takes slowly",
		Why:   "the time is spent outside this process; no change of its own code makes the other end faster",
		Risk:  "",
	}, {
		Title: "Ask less, or ask for several requests at once, and do not wait for clients that lag behind",
		Why:   "each exchange takes the other end's time and the way there and back",
		Risk:  "the first of a batch waits for the last",
	}}
}

func downstreamText(p model.Wait) (string, []unpark.Remedy) {
	w := p.Heaviest
	what := "another service"
	if roles.On(w.Stack, roles.Database) {
		what = "the database"
	}
	where := short(w.Waiter.Function)
	if !w.Asked.IsZero() {
		where = short(w.Asked.Function) + ", on a goroutine that a library starts for it"
	}
	if p.Calls != nil {
		return fmt.Sprintf("Requests wait in %s for the other end of a connection that another goroutine uses (%s in %s)",
			where, short(p.Calls.Call.Function), short(p.Calls.Site.Function)), otherEnd()
	}
	return "Requests wait for " + what + " in " + where, slices.Concat(lasting(w), []unpark.Remedy{{
		Title: "Ask less: cache what changes slowly, with single-flight, and batch what is asked together",
		Why:   "the time is spent outside this process; no change of its own code makes one answer faster",
		Risk:  "stale answers; choose an age that callers can live with",
	}, {
		Title: "Ask in parallel (errgroup.Group) what does not depend on each other",
		Why:   "the wait is then the slowest answer, not the sum",
		Risk:  "the other side sees bursts; bound them, and give each a timeout",
	}, {
		Title: "Look at the other side under this load",
		Why:   "its queue may be what is waited for",
		Risk:  "",
	}})
}

// admits are the words in the names of functions that get what lets one in: it is good for a time, and for many requests.
var admits = regexp.MustCompile(`([Cc]redentials?|[Aa]ssumeRole|[Tt]okens?|[Kk]eySet|JWKS?)([A-Z.)]|$)`)

// lasting is advice to keep what a call gets which is good for many requests, by the names of the functions that lead to it: the
// innermost, since what is around it may keep such already, for too short a time.
func lasting(w facts.Wait) []unpark.Remedy {
	for _, s := range slices.Concat(w.Stack, w.Above) {
		name := unpark.WithoutTypeArguments(s.Function)
		name = name[len(unpark.PackageOf(name)):]
		if roles.Is(s.Function, roles.Standard) || !admits.MatchString(name) {
			continue
		}
		return []unpark.Remedy{{
			Title: fmt.Sprintf("Keep the credentials, token or keys that %s gets until they expire: requests wait while it asks for them again", short(s.Function)),
			Why:   "they are good for many requests, and one answer serves all of them",
			Risk:  "get new ones before the old expire, once for all that ask, and at once where one is refused",
		}}
	}
	return nil
}
