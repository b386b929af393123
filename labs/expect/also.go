package expect

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
)

// Also are the services that an arm's service asks, by name: arguments of the same program, without an address. They are
// captured in the same window (unpark run --also). Located puts the address of each where {NAME} stands.
type Also map[string][]string

// Names are those of the services, in order.
func (a Also) Names() []string { return slices.Sorted(maps.Keys(a)) }

// located has the addresses put in.
func (a Also) located(replace *strings.Replacer) Also {
	if a == nil {
		return nil
	}
	out := Also{}
	for name, args := range a {
		for _, arg := range args {
			out[name] = append(out[name], replace.Replace(arg))
		}
	}
	return out
}

// validate refuses services that cannot be told apart.
func (a Also) validate() error {
	for name := range a {
		if name == "" || name == "beside" || name == "url" {
			return fmt.Errorf("also %q: it is the name of a service, and {beside} and {url} are taken", name)
		}
	}
	return nil
}

// asked says what is wrong with the services of a run, and with how their requests are joined to those of the arm's own.
func (a Arm) asked(run unpark.Run) []string {
	var wrong []string
	for _, name := range a.Also.Names() {
		i := slices.IndexFunc(run.Services, func(s unpark.Service) bool { return s.Name == name })
		if i < 0 {
			wrong = append(wrong, fmt.Sprintf("%s is not among the services", name))
			continue
		}
		if j := run.Services[i].Join; a.Joined != "" && (j.How != a.Joined || j.Unsure != "") {
			wrong = append(wrong, strings.TrimSpace(fmt.Sprintf("requests of %s are joined by %q, want %q. %s", name, j.How, a.Joined, j.Unsure)))
		}
	}
	return wrong
}
