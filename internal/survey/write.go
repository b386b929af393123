package survey

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/unpark-go/unpark/internal/project"
)

// writer collects lines.
type writer struct{ strings.Builder }

func (w *writer) line(format string, a ...any) {
	fmt.Fprintf(w, format+"\n", a...)
}

// column is one commented line: what, and why.
type column struct{ what, why string }

// columns writes lines whose second parts are aligned; width bounds how far.
func (w *writer) columns(prefix string, rows []column) {
	const widest = 60
	width := 0
	for _, r := range rows {
		if n := len([]rune(r.what)); n <= widest {
			width = max(width, n)
		}
	}
	for i, r := range rows {
		if i == most {
			w.line("%sand %d more", prefix, len(rows)-most)
			return
		}
		if r.why == "" {
			w.line("%s%s", prefix, r.what)
			continue
		}
		w.line("%s%s%s   %s", prefix, r.what, strings.Repeat(" ", max(0, width-len([]rune(r.what)))), r.why)
	}
}

func (s Survey) writeTarget(w *writer, d Draft) {
	w.line("# Built with the probe added; sources stay untouched.")
	if d.Program == nil {
		w.line("package:")
		return
	}
	w.line("package: %s", scalar(d.Program.Package))
	var others []column
	for _, p := range s.Programs[1:] {
		why := ""
		if !p.Serves() {
			why = "# opens no port that could be read"
		}
		others = append(others, column{"package: " + scalar(p.Package), why})
	}
	w.columns("# ", others)
	w.line("")
	for _, why := range d.Required {
		w.line("# %s", why)
	}
	w.line("args: [%s]", strings.Join(scalars(d.Args), ", "))
	var flags []column
	for _, g := range nearest(d.Program.Flags) {
		value := ""
		if g.Default != "" && g.Default != "false" && g.Default != "0" {
			value = " " + g.Default
		}
		flags = append(flags, column{g.Name + value, strings.TrimPrefix(about(g.Usage), ": ")})
	}
	if len(flags) > 0 {
		w.line("# Flags that it takes, with their defaults:")
		w.columns("#   ", flags)
	}
	w.line("")
	writeEnvironment(w, d.Program.Variables)
}

// nearest keeps the flags of the package that defines the nearest ones: what lies
// behind it may belong to other programs.
func nearest(flags []*Flag) []*Flag {
	if len(flags) == 0 {
		return nil
	}
	at := flags[0].near
	for _, g := range flags {
		at = min(at, g.near)
	}
	return slices.DeleteFunc(slices.Clone(flags), func(g *Flag) bool { return g.near > at })
}

func writeEnvironment(w *writer, variables []Variable) {
	w.line("# ${NAME} is taken from your own environment, so that secrets need not stand here.")
	w.line("environment:")
	var required, others []column
	for _, v := range variables {
		value := v.Default
		if value == "" {
			value = "${" + v.Name + "}"
		}
		row := column{v.Name + ": " + scalar(value), "# " + v.Place}
		if v.required {
			required = append(required, row)
		} else {
			others = append(others, row)
		}
	}
	w.columns("  ", required)
	w.columns("  # ", others)
	w.line("")
}

func writeURLs(w *writer, d Draft) {
	w.line("# What is requested, with a weight as 9*/path and a method as POST /path.")
	if d.Program == nil {
		w.line("urls:")
		w.line("")
		return
	}
	base := ""
	if d.Address != nil {
		base = "http://" + d.Address.reachable()
		if d.Address.Flag != "" {
			w.line("# The address is that of %s, %s.", d.Address.Flag, d.Address.Place)
		} else {
			w.line("# The address is the one in %s.", d.Address.Place)
		}
	}
	for _, a := range d.Program.Addresses {
		if d.Address == nil || a != *d.Address && a.Host+a.Port != d.Address.Host+d.Address.Port {
			w.line("# Another one is at %s:%s, %s.", a.Host, a.Port, a.Place)
		}
	}
	w.line("urls:")
	switch {
	case d.Loaded != nil:
		w.line("  - %s", scalar(request(base, *d.Loaded)))
	case len(d.Open) > 0 && strings.HasPrefix(d.Open[len(d.Open)-1], "urls"):
		w.line("  - %s", project.FillIn)
	default:
		w.line("  - %s   # no route could be read", scalar(base+"/"))
	}
	var rows []column
	for i := range d.Program.Routes {
		r := d.Program.Routes[i]
		if &d.Program.Routes[i] == d.Loaded {
			continue
		}
		why := ""
		if len(r.Against) > 0 {
			why = "# " + strings.Join(r.Against, "; ")
		}
		rows = append(rows, column{scalar(request(base, r)), why})
	}
	w.columns("  # - ", rows)
	w.line("")
	w.line("# Sent with every request.")
	w.line("headers:")
	w.line("  # Authorization: Bearer ${TOKEN}")
	w.line("")
}

// reachable is the address as a client on this machine writes it.
func (a Address) reachable() string {
	host := a.Host
	if host == "" || host == "0.0.0.0" || host == "::" || host == "localhost" {
		host = "127.0.0.1"
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	return host + ":" + a.Port
}

func request(base string, r Route) string {
	address := base + r.Path
	if u, err := url.Parse(address); err == nil {
		address = u.String() // blanks and the like are escaped
	}
	if r.Method == "" || r.Method == "GET" {
		return address
	}
	return r.Method + " " + address
}

func writeLoad(w *writer) {
	w.line("# Without a rate the loop is closed: each connection sends as soon as it has its answer.")
	w.line("# rate: poisson:100/s")
	w.line("connections: 50")
	w.line("")
}

func (s Survey) writeProof(w *writer) {
	w.line("# Code that is yours, beside %s.", list2(s.Modules))
	w.line("own: []")
	w.line("")
	w.line("# What `unpark check` asks of the newest run.")
	w.line("budget:")
	w.line("  errors: < 1%%")
	w.line("  # p99: < 50ms")
	w.line("")
	w.line("# What `unpark ab` measures the working tree against, and `unpark check` a run.")
	w.line("baseline:")
	if s.Revision != "" {
		w.line("  revision: %s", scalar(s.Revision))
	} else {
		w.line("  # revision: main   # there is no git branch main or master here")
	}
	w.line("  # runs: [unpark-runs/main-1, unpark-runs/main-2, unpark-runs/main-3]")
}

func list2(names []string) string {
	const few = 3
	if len(names) > few {
		return fmt.Sprintf("%s and %d more modules", strings.Join(names[:few], ", "), len(names)-few)
	}
	return strings.Join(names, ", ")
}

func scalars(words []string) []string {
	out := make([]string, len(words))
	for i, word := range words {
		out[i] = scalar(word)
	}
	return out
}

// scalar writes a word as YAML, in quotes where it would be read as something else.
func scalar(s string) string {
	if s == "" || strings.ContainsAny(s, ",[]{}#&!|>'\"%@`\n\t\\ ") && !plainRequest(s) || strings.Contains(s, ": ") || strings.HasSuffix(s, ":") || strings.ContainsAny(s[:1], "*?-") && len(s) < 2 || s[0] == '*' {
		return "'" + strings.ReplaceAll(strings.ReplaceAll(s, "\n", " "), "'", "''") + "'"
	}
	return s
}

// plainRequest reports METHOD ADDRESS, whose blank needs no quotes.
func plainRequest(s string) bool {
	method, address, ok := strings.Cut(s, " ")
	return ok && isMethod(method) && !strings.ContainsAny(address, ",[]{}#&!|>'\"%@`\n\t\\ ")
}
