package fleet

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
)

// reason is why parts are void, and of which agents.
type reason struct {
	code   string // of generators that were the limit; else empty
	why    string
	cure   string
	names  []string
	differ bool // in their figures
}

// reasons are those of the parts that are void, each once. That a generator was the limit is one reason, though the
// figures of each differ; cut says why a part is void for another.
func reasons(parts []*part, said []unpark.Agent, cut func(*part) string) (all []reason) {
	for i, p := range parts {
		r := reason{why: said[i].Void, names: []string{p.agent.Name}}
		if r.why == "" {
			continue
		}
		if cut(p) == "" && len(p.done.Void) > 0 {
			r.code, r.cure = p.done.Void[0].Code, p.done.Void[0].Cure
		}
		at := slices.IndexFunc(all, func(o reason) bool { return o.code == r.code && (r.code != "" || o.why == r.why) })
		if at < 0 {
			all = append(all, r)
			continue
		}
		all[at].names = append(all[at].names, r.names...)
		all[at].differ = all[at].differ || all[at].why != r.why
	}
	return all
}

// of is the reason with its agents, of that many in all.
func (r reason) of(agents int) string {
	names := strings.Join(r.names, ", ")
	if n := len(r.names); n > 1 && n == agents {
		names = "all " + unpark.Counted(int64(n), "agent")
	}
	if r.differ {
		return names + ": " + r.why + " (the figures of " + r.names[0] + ")"
	}
	return names + ": " + r.why
}

// notice says why parts are void, of that many agents, and what the rest is worth.
func notice(why []reason, agents int, worth string) unpark.Notice {
	var said []string
	void := 0
	for _, one := range why {
		said = append(said, one.of(agents))
		void += len(one.names)
	}
	n := unpark.Notice{
		Code:    "agent-void",
		Message: fmt.Sprintf("%s void: %s. %s", unpark.Counted(int64(void), "part")+is(void), strings.Join(said, "; "), worth),
		Cure:    "see to the agent or its link and run again; `unpark agents` shows clocks and health",
	}
	if len(why) == 1 && why[0].cure != "" {
		n.Cure = why[0].cure
	}
	return n
}

func is(n int) string {
	if n == 1 {
		return " is"
	}
	return " are"
}
