package offers

import (
	"cmp"
	"go/ast"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// setting is something of a package that its users may set.
type setting struct {
	name, kind, doc string
	fills           string // the field or variable that a function fills; empty of what is set itself
	gains           bool   // its documentation says that it is for speed
	optional        bool   // the function gives an option
	turns, on       bool   // the function needs no value for that: it turns it on, or off
	pkg             *source
}

// function is the name of the function that sets it: of a constructor its parameter stands behind that.
func (s setting) function() string { return function(s.name) }

func function(name string) string {
	name, _, _ = strings.Cut(name, "(")
	return name
}

// configures are the names of types that are there to be set.
var configures = regexp.MustCompile(`(?i)(config|conf|options?|opts|settings?|params?|policy|limits?)$`)

// messages are the names of types that carry what is sent, kept or found, and are not set.
var messages = regexp.MustCompile(`(Request|Response|Reply|Message|Msg|Event|Entry|Entries|Header|Record|Result|Stats|Info|Status|State|Snapshot|Error)$`)

// states are the names of fields that say what something is, and do not set what it does.
var states = regexp.MustCompile(`^(Is|Has|Was)[A-Z]`)

// settable are the types of settings that have a size, a time or a mode.
var settable = regexp.MustCompile(`^(u?int(8|16|32|64)?|float(32|64)|bool|time\.Duration|Duration)$`)

// options are the names of functions that set something before the work begins.
var options = regexp.MustCompile(`^(\w+\.)?(With|Set)[A-Z]`)

// settings is what users may set in a package, by the name with which its code reads it.
func (p *source) settings() map[string][]setting {
	if p.set != nil {
		return p.set
	}
	out := map[string][]setting{}
	p.set, p.filled = out, map[string][]setting{}
	add := func(read string, s setting) {
		s.pkg = p
		of, _, field := strings.Cut(s.name, ".")
		switch {
		case p.internal():
		case basic(p, s.kind):
			out[read] = append(out[read], s)
		case field && configures.MatchString(of) || s.fills != "" && (options.MatchString(s.name) || s.optional):
			p.filled[read] = append(p.filled[read], s)
		}
	}
	fields := map[string]string{} // of all structs: the type of what is not exported
	for _, name := range slices.Sorted(maps.Keys(p.structs)) {
		for _, f := range p.structs[name].Fields.List {
			kind := typeOf(f.Type)
			for _, id := range f.Names {
				fields[id.Name] = kind
				if kind == "bool" && states.MatchString(id.Name) && !configures.MatchString(name) {
					continue
				}
				if ast.IsExported(name) && id.IsExported() && !deprecated(f.Doc) && (configures.MatchString(name) || p.made(name) && !messages.MatchString(name) && firstOf(f.Doc, f.Comment) != "") {
					add(id.Name, setting{name: name + "." + id.Name, kind: kind, doc: firstOf(f.Doc, f.Comment), gains: gain.MatchString(f.Doc.Text() + f.Comment.Text())})
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.vars)) {
		if ast.IsExported(name) {
			add(name, setting{name: name, kind: p.vars[name].kind, doc: p.vars[name].doc})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.funcs)) {
		d := p.funcs[name]
		if !d.Name.IsExported() || d.Body == nil || deprecated(d.Doc) || d.Recv != nil && !ast.IsExported(receiver(d)) {
			continue
		}
		for read, from := range sets(d, p) {
			s := setting{name: name, kind: cmp.Or(from.kind, fields[read]), doc: firstOf(d.Doc), fills: read, gains: gain.MatchString(d.Doc.Text()), optional: option(p, d)}
			if _, is := parameters(d)[from.param]; is && d.Recv == nil && makers.MatchString(name) { // it has others, too
				s.name, s.doc = name+"("+from.param+")", saysOf(d, from.param)
			}
			add(read, s)
		}
		for read, on := range toggles(d) {
			add(read, setting{name: name, kind: "bool", doc: firstOf(d.Doc), fills: read, gains: gain.MatchString(d.Doc.Text()), turns: true, on: on})
		}
	}
	return out
}

// gain is what documentation says of a setting that is there for speed.
var gain = regexp.MustCompile(`(?i)\b((speeds?|speeding) (\w+ )?up|faster|more (efficient|performant)|(improv|increas|enhanc|boost)\w* [^.]{0,40}(performance|throughput|latency|speed)|(performance|throughput|speed)[^.]{0,40}(improv|increas|enhanc|boost)\w*|reduc\w* [^.]{0,30}(allocat\w*|latency|overhead|contention|round.?trips)|fewer (allocations|round.?trips))\b`)

// deprecated reports whether documentation says not to use something (go.dev/wiki/Deprecated).
func deprecated(doc *ast.CommentGroup) bool { return strings.Contains(doc.Text(), "Deprecated:") }

// internal reports whether only the module itself may import a package.
func (p *source) internal() bool {
	return slices.Contains(strings.Split(p.path, "/"), "internal")
}

// made reports whether users make values of a type themselves and fill in its fields, as those of
// http.Transport: it has methods, and does more than to carry data.
func (p *source) made(name string) bool {
	for f := range p.funcs {
		if strings.HasPrefix(f, name+".") && ast.IsExported(strings.TrimPrefix(f, name+".")) {
			return true
		}
	}
	return false
}

// given reports whether a setting is one of something that is made with it: a function sets it, or its type is what
// the package's constructors take, or what they make. The options of one call, and what messages carry, are not.
func (p *source) given(s setting) bool {
	of, _, field := strings.Cut(s.name, ".")
	if !field || p.vars[of].kind != "" || p.structs[of] == nil {
		return true
	}
	if p.taken == nil {
		p.taken = map[string]bool{}
		for _, d := range p.funcs {
			if !constructs.MatchString(d.Name.Name) || !ast.IsExported(d.Name.Name) {
				continue
			}
			for _, list := range []*ast.FieldList{d.Type.Params, d.Type.Results} {
				if list == nil {
					continue
				}
				for _, f := range list.List {
					p.taken[typeOf(f.Type)] = true
				}
			}
		}
		for more := slices.Collect(maps.Keys(p.taken)); len(more) > 0; more = more[1:] { // options within options
			if t := p.structs[more[0]]; t != nil {
				for _, f := range t.Fields.List {
					if kind := typeOf(f.Type); !p.taken[kind] {
						p.taken[kind], more = true, append(more, kind)
					}
				}
			}
		}
	}
	return p.taken[of]
}

// ofOneCall reports whether a type is what one call is put together with: it has what many goroutines share, and is not that itself.
func ofOneCall(p *source, name string) bool {
	t := p.structs[name]
	return t != nil && !p.locks(name) && slices.ContainsFunc(t.Fields.List, func(f *ast.Field) bool {
		return ast.IsExported(typeOf(f.Type)) && p.locks(typeOf(f.Type))
	})
}

// constructs are the names of functions that make what a program has few of.
var constructs = regexp.MustCompile(`^(New|Open|Dial|Connect|Start|Make|Create|Default|Init|Setup|Listen|Build)`)

// setters are the names of functions that are there to set something: what else assigns a parameter
// does its work.
var setters = regexp.MustCompile(`^(With|Set|New|Open|Dial|Max|Enable|Disable|Use|Make|[A-Z]\w*(Size|Limit|Interval|Delay|Timeout|Workers|Option|Rate)$)`)

// makers are the names of functions that make something of several parameters.
var makers = regexp.MustCompile(`^(New|Open|Dial|Make)`)

// param is what a field or variable is filled from.
type param struct{ param, kind string }

// sets is which fields and variables a function fills from its parameters; itself, or by a function of the package that it
// hands them to.
func sets(d *ast.FuncDecl, p *source) map[string]param {
	if !setters.MatchString(d.Name.Name) && !option(p, d) {
		return nil
	}
	out := fills(d, p)
	ast.Inspect(d.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		for _, inner := range p.called(call) {
			if inner != d && inner.Body != nil && handsOn(d, call) {
				maps.Copy(out, fills(inner, p))
			}
		}
		return true
	})
	return out
}

// handsOn reports whether all arguments of a call are parameters of the function that makes it, and there are any.
func handsOn(d *ast.FuncDecl, call *ast.CallExpr) bool {
	params := parameters(d)
	return len(call.Args) > 0 && !slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return within(e, params) == "" })
}

// parameters are those of a function by their names, with their types.
func parameters(d *ast.FuncDecl) map[string]string {
	params := map[string]string{}
	for _, f := range d.Type.Params.List {
		for _, id := range f.Names {
			params[id.Name] = typeOf(f.Type)
		}
	}
	return params
}

// fills is which fields and variables a function itself fills from its parameters.
func fills(d *ast.FuncDecl, p *source) map[string]param {
	params, origin, out := parameters(d), map[string]string{}, map[string]param{}
	put := func(to ast.Expr, from ast.Expr) {
		name := ""
		switch to := to.(type) {
		case *ast.SelectorExpr:
			name = to.Sel.Name
		case *ast.Ident:
			if _, ok := p.vars[to.Name]; ok {
				name = to.Name
			}
		}
		if v := within(from, params); name != "" && v != "" {
			out[name] = param{cmp.Or(origin[v], v), params[v]}
		}
	}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, to := range n.Lhs {
				if len(n.Rhs) != len(n.Lhs) {
					continue
				}
				put(to, n.Rhs[i])
				if own, ok := to.(*ast.Ident); ok && n.Tok == token.DEFINE {
					if v := within(n.Rhs[i], params); v != "" {
						params[own.Name], origin[own.Name] = params[v], cmp.Or(origin[v], v) // what is put right before it is kept
					}
				}
			}
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok {
				if v := within(n.Value, params); v != "" {
					out[key.Name] = param{cmp.Or(origin[v], v), params[v]}
				}
			}
		case *ast.CallExpr: // atomic.StoreUint32(&limit, n), limit.Store(n)
			if sel, ok := n.Fun.(*ast.SelectorExpr); ok && strings.HasPrefix(sel.Sel.Name, "Store") && len(n.Args) > 0 {
				to := sel.X
				if at, ok := n.Args[0].(*ast.UnaryExpr); ok {
					to = at.X
				}
				put(to, n.Args[len(n.Args)-1])
			}
		}
		return true
	})
	return out
}

// within is the parameter that an expression is made of: itself, or converted.
func within(e ast.Expr, params map[string]string) string {
	switch e := e.(type) {
	case *ast.Ident:
		if _, ok := params[e.Name]; ok {
			return e.Name
		}
	case *ast.CallExpr:
		if len(e.Args) > 0 { // int64(n), make(chan T, n)
			return within(e.Args[len(e.Args)-1], params)
		}
	}
	return ""
}
