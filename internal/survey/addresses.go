package survey

import (
	"cmp"
	"go/ast"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Address is where a program listens, as far as it can be read.
type Address struct {
	Host, Port string
	Place      string
	Flag       string // that sets it, or the variable; empty: it is fixed

	near  int
	aside bool // it serves observers or peers, by its name
	bare  bool // of a listener alone: HTTP may not be what is spoken there
}

// beside are the words that name listeners that users do not ask.
var (
	beside    = regexp.MustCompile(`(?i)pprof|prof|debug|metric|prom|admin|grpc|rpc|health|probe|raft|gossip|cluster|peer|internal|telemetry|otlp|trace`)
	addressed = regexp.MustCompile(`(?i)addr|address|listen|bind|host|http|serve|endpoint|port`)
	switched  = regexp.MustCompile(`(?i)http|web|monitor`)
	secured   = regexp.MustCompile(`(?i)https|tls|prof|debug|admin|ssl`)
	hostport  = regexp.MustCompile(`^([\w.-]*|\[[\w:%.]*\]):(\d{1,5})$`)
	isPort    = regexp.MustCompile(`^\d{2,5}$`)
)

// split reads host:port or, where it may be alone, a port; false for port 0, which
// is none that can be known.
func split(text string, alone bool) (host, port string, ok bool) {
	text = strings.TrimPrefix(strings.TrimPrefix(text, "tcp://"), "http://")
	if m := hostport.FindStringSubmatch(text); m != nil {
		host, port = strings.Trim(m[1], "[]"), m[2]
	} else if alone && isPort.MatchString(text) {
		port = text
	}
	n, err := strconv.ParseUint(port, 10, 16)
	return host, port, err == nil && n > 0
}

// listeners are the calls of a package that listen.
type listeners struct {
	found []Address
	web   int // that speak HTTP
	bare  int // that open a port, for whatever is spoken there
}

// listens finds the addresses in calls that listen.
func (w *world) listens(u *unit) listeners {
	var out listeners
	u.each(func(f *ast.File, in *ast.FuncDecl, n ast.Node) {
		s := scope{w, u, f, in}
		e, bare := listening(n)
		if e == nil {
			return
		}
		text, ok := s.text(e)
		host, port, whole := split(text, false)
		if c, isCall := n.(*ast.CallExpr); isCall && ambiguous(c) && !(ok && strings.Contains(text, ":")) && !addressed.MatchString(lastName(e)) {
			return // of something else: exec.Cmd, testing.T
		}
		if bare {
			out.bare++
		} else {
			out.web++
		}
		if !ok || !whole {
			return
		}
		a := Address{Host: host, Port: port, Place: w.place(n), near: u.near, bare: bare}
		a.aside = in != nil && beside.MatchString(in.Name.Name) || beside.MatchString(lastName(e))
		if g := u.bound[lastName(e)]; g != nil {
			a.Flag = g.Name
		}
		out.found = append(out.found, a)
	})
	return out
}

// listening returns the address of a call or a literal that listens, and whether
// something else than HTTP may be spoken there: net.Listen, ListenAndServe,
// http.Server{Addr: …}, and Run, Start and Listen of routers.
func listening(n ast.Node) (address ast.Expr, bare bool) {
	switch n := n.(type) {
	case *ast.CompositeLit:
		if n.Type != nil && lastName(n.Type) == "Server" {
			return fieldOf(n, "Addr"), false
		}
	case *ast.CallExpr:
		name, on := called(n)
		switch {
		case len(n.Args) == 0 || on == nil:
		case name == "ListenAndServe" || name == "ListenAndServeTLS":
			if len(n.Args) > 1 {
				return n.Args[0], false
			}
		case name == "Listen" && len(n.Args) >= 2 && lastName(on) == "net":
			return n.Args[1], true
		case name == "Listen" && len(n.Args) == 3: // of net.ListenConfig
			return n.Args[2], true
		case ambiguous(n):
			return n.Args[0], false
		}
	}
	return nil, false
}

// ambiguous reports a call of a name that routers share with much else.
func ambiguous(c *ast.CallExpr) bool {
	switch name, on := called(c); name {
	case "Listen":
		return lastName(on) != "net" && len(c.Args) < 3
	case "Run", "Start", "StartServer", "RunTLS":
		return true
	}
	return false
}

// addresses puts what was read of a program in order, the likeliest first.
func addresses(flags []*Flag, variables []Variable, listens []Address) []Address {
	var out, aside []Address
	add := func(a Address) {
		if a.aside {
			aside = append(aside, a)
		} else {
			out = append(out, a)
		}
	}
	for near := 0; near <= farthest(flags, variables, listens); near++ {
		for _, g := range flags {
			if a, ok := g.address(); ok && g.near == near {
				add(a)
			}
		}
		for _, v := range variables {
			if host, port, ok := split(v.Default, true); ok && v.near == near && addressed.MatchString(v.Name) {
				add(Address{Host: host, Port: port, Place: v.Place, Flag: v.Name, near: near, aside: beside.MatchString(v.Name)})
			}
		}
		for _, a := range listens {
			if a.near == near {
				add(a)
			}
		}
	}
	return append(out, aside...)
}

func farthest(flags []*Flag, variables []Variable, listens []Address) int {
	most := 0
	for _, g := range flags {
		most = max(most, g.near)
	}
	for _, v := range variables {
		most = max(most, v.near)
	}
	for _, a := range listens {
		most = max(most, a.near)
	}
	return most
}

// address reads a flag's default as an address.
func (g *Flag) address() (Address, bool) {
	name := strings.TrimLeft(g.Name, "-")
	number := strings.HasPrefix(g.Kind, "Int") || strings.HasPrefix(g.Kind, "Uint")
	host, port, ok := split(g.Default, number || strings.Contains(strings.ToLower(name), "port"))
	if !ok || !g.known || !addressed.MatchString(name) && !(len(name) == 1 && addressed.MatchString(g.Usage)) {
		return Address{}, false
	}
	if number && !strings.Contains(strings.ToLower(name+g.Usage), "port") {
		return Address{}, false
	}
	return Address{Host: host, Port: port, Place: g.Place, Flag: g.Name, near: g.near, aside: beside.MatchString(name)}, true
}

// opener returns the flag that makes a program speak HTTP which by default does not,
// and the port to give it: the one that the source has a constant for.
func opener(flags []*Flag, port string) (*Flag, string) {
	var best *Flag
	for _, g := range flags {
		text := g.Name + " " + g.Usage
		number := strings.HasPrefix(g.Kind, "Int") || strings.HasPrefix(g.Kind, "Uint")
		if !number || !g.known || g.Default != "0" || !switched.MatchString(text) || !strings.Contains(strings.ToLower(text), "port") || secured.MatchString(text) {
			continue
		}
		if best == nil || best.sets == g.sets && len(g.Name) > len(best.Name) {
			best = g
		}
	}
	if best == nil {
		return nil, ""
	}
	return best, cmp.Or(port, "8080")
}

// httpPort returns the port that a constant of the program names for HTTP, that of the
// nearest package.
func httpPort(units []*unit) string {
	for _, u := range units {
		for _, name := range slices.Sorted(maps.Keys(u.values)) {
			upper := strings.ToUpper(name)
			l, ok := u.values[name].expr.(*ast.BasicLit)
			if ok && strings.Contains(upper, "HTTP") && strings.Contains(upper, "PORT") && !secured.MatchString(name) && isPort.MatchString(l.Value) {
				return l.Value
			}
		}
	}
	return ""
}
