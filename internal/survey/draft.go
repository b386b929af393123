package survey

import (
	"fmt"
	"strings"

	"github.com/unpark-go/unpark/internal/project"
)

// Draft is a project file that was written from a survey.
type Draft struct {
	Text     string
	Open     []string // what has to be filled in before it can be used; empty: nothing
	Program  *Program // that it is for; nil when there is none
	Args     []string
	Address  *Address // of the URLs; nil: the port that the service opens
	Loaded   *Route   // nil: / is asked, because no route could be read
	Required []string // why arguments are there
}

// most is how many lines of one sort are written as comments.
const most = 24

// Draft writes the project file for the best program.
func (s Survey) Draft() Draft {
	var d Draft
	if len(s.Programs) > 0 {
		d.Program = &s.Programs[0]
		d.decide()
	}
	var b writer
	for _, open := range d.Open {
		b.line("# FILL IN %s", open)
	}
	b.line("# What unpark measures here: `unpark run`, `ab`, `check` and `load` need no flags; flags win over")
	b.line("# this file. A path without a host goes to the port that the service opens.")
	b.line("")
	s.writeTarget(&b, d)
	writeURLs(&b, d)
	writeLoad(&b)
	s.writeProof(&b)
	d.Text = b.String()
	return d
}

// decide says how the program is started and what is asked.
func (d *Draft) decide() {
	p := d.Program
	if p.Command != nil {
		d.Args = append(d.Args, p.Command.Word)
		d.Required = append(d.Required, "`"+p.Command.Word+"` makes it serve, "+p.Command.Place)
	}
	d.require()
	for i := range p.Addresses {
		if !p.Addresses[i].aside {
			d.Address = &p.Addresses[i]
			break
		}
	}
	if len(p.Routes) > 0 && (d.Address == nil || d.Address.bare && d.Address.Flag == "") {
		if g, port := opener(p.Flags, p.port); g != nil {
			d.Args = append(d.Args, g.Name, port)
			d.Required = append(d.Required, g.Name+" opens an HTTP port ("+g.Usage+"), "+g.Place)
			d.Address = &Address{Port: port, Place: g.Place, Flag: g.Name}
		}
	}
	if len(p.Routes) > 0 && p.Routes[0].score > -never/2 {
		d.Loaded = &p.Routes[0]
	} else if why := p.unasked(); why != "" {
		d.Open = append(d.Open, "urls: "+why)
	}
}

// unasked says why nothing of the program is requested; empty where / may be.
func (p *Program) unasked() string {
	switch {
	case len(p.Routes) > 0:
		return "what the service is to be asked; none of what was read can be requested as it is"
	case !p.Serves():
		return "what the program is to be asked; nothing was read that opens a port"
	case p.GRPC != "" && p.web == 0:
		return "a method of gRPC, with its message as body: {url: grpc://127.0.0.1:8080/package.Service/Method, body: '{}'}"
	}
	return ""
}

// require adds the flags and variables that the program says it needs.
func (d *Draft) require() {
	asked := map[string]bool{}
	for _, g := range d.Program.Flags {
		if !g.required || asked[g.Name] {
			continue
		}
		asked[g.Name] = true
		value := project.FillIn
		why := fmt.Sprintf("%s is required, %s", g.Name, g.Place)
		if all := g.choices(); len(all) > 0 {
			value = all[0]
			why += ": one of " + strings.Join(all, ", ")
		} else {
			d.Open = append(d.Open, fmt.Sprintf("args: %s%s (%s)", g.Name, about(g.Usage), g.Place))
		}
		d.Args = append(d.Args, g.Name, value)
		d.Required = append(d.Required, why)
	}
	for _, v := range d.Program.Variables {
		if v.required {
			d.Open = append(d.Open, fmt.Sprintf("environment: %s, which the service says it needs (%s): export it, or write it there", v.Name, v.Place))
		}
	}
}

func about(usage string) string {
	usage, _, _ = strings.Cut(usage, "\n")
	if usage == "" {
		return ""
	}
	const longest = 90
	if r := []rune(usage); len(r) > longest {
		usage = strings.TrimSpace(string(r[:longest])) + "…"
	}
	return ": " + usage
}
