package project

import (
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/unpark-go/unpark/internal/measure/load"
	"github.com/unpark-go/unpark/internal/strict"
)

// word reads one value as it is written: 8080 and on are words too.
func (r *reader) word(key string, n *yaml.Node, like string) Text {
	switch {
	case n.Kind == yaml.AliasNode:
		r.doc.Failf(n, "%s: *%s: references are not read: write the value out", key, n.Value)
		return Text{}
	case n.Kind != yaml.ScalarNode:
		r.doc.Failf(n, "%s takes one value: write %s: %s", key, key, like)
		return Text{}
	case strings.Contains(n.Value, FillIn):
		r.doc.Failf(n, "%s: %s stands for a value that `unpark init` could not know: write it here", key, FillIn)
		return Text{}
	case strings.TrimSpace(n.Value) == "" || strings.ContainsRune(n.Value, 0):
		r.doc.Failf(n, "%s is empty: write %s: %s, or take the line out", key, key, like)
		return Text{}
	}
	return strict.At(n)
}

// plain reads a value that ends up in documents, in which secrets must not be.
func (r *reader) plain(key string, n *yaml.Node, like string) Text {
	t := r.word(key, n, like)
	if reference.MatchString(t.Value) {
		r.doc.Failf(n, "%s: %s is not put in here, because %s are written into run documents: pass it in environment or headers", key, reference.FindString(t.Value), plural(key))
		return Text{}
	}
	return t
}

func plural(key string) string {
	if strings.HasSuffix(key, "s") {
		return key
	}
	return key + "s"
}

// words reads a list of values.
func (r *reader) words(key string, n *yaml.Node, like string) []Text {
	if n.Kind == yaml.ScalarNode {
		if w := strings.Fields(n.Value); len(w) > 0 && len(w) < 10 {
			like = "[" + strings.Join(w, ", ") + "]"
		}
	}
	if n.Kind != yaml.SequenceNode {
		r.doc.Failf(n, "%s is a list: write %s: %s", key, key, like)
		return nil
	}
	var out []Text
	for _, one := range n.Content {
		if one.Kind == yaml.ScalarNode && one.Value == "" && !strict.Null(one) {
			out = append(out, strict.At(one)) // an empty argument is one
			continue
		}
		if t := r.plain(key, one, like); t.Given() {
			out = append(out, t)
		}
	}
	return out
}

// variable reads a value that may refer to the caller's environment.
func (r *reader) variable(key string, n *yaml.Node) Text {
	if n.Kind == yaml.ScalarNode && n.Value == "" {
		return strict.At(n)
	}
	t := r.word(key, n, "value")
	for _, m := range reference.FindAllStringSubmatch(t.Value, -1) {
		if !name(m[1]) {
			r.doc.Failf(n, "%s: %s refers to no variable: write ${NAME}, or $${…} for the text itself", key, m[0])
		}
	}
	return t
}

// name reports whether a word can name a variable of the environment.
func name(word string) bool {
	return word != "" && (word[0] < '0' || word[0] > '9') &&
		strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
}

func (r *reader) environment(key string, n *yaml.Node) []Variable {
	var out []Variable
	r.doc.Pairs(n, strict.Mapping{What: key, Like: "LOG_LEVEL: warn"}, func(k, v *yaml.Node) {
		if !name(k.Value) {
			r.doc.Failf(k, "%s: %q can be no name of a variable: write NAME: value", key, k.Value)
			return
		}
		out = append(out, Variable{k.Value, r.variable(key, v)})
	})
	return out
}

// token is what a header name may consist of (RFC 9110, section 5.6.2).
const token = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

func (r *reader) headers(key string, n *yaml.Node) []Variable {
	var out []Variable
	r.doc.Pairs(n, strict.Mapping{What: key, Like: "Accept: application/json"}, func(k, v *yaml.Node) {
		if k.Value == "" || strings.Trim(k.Value, token) != "" {
			r.doc.Failf(k, "%s: %q can be no header name: write Name: value", key, k.Value)
			return
		}
		all := []*yaml.Node{v}
		if v.Kind == yaml.SequenceNode {
			all = v.Content
		}
		for _, one := range all {
			out = append(out, Variable{k.Value, r.variable(key, one)})
		}
	})
	return out
}

func (r *reader) rate(key string, n *yaml.Node) Text {
	t := r.word(key, n, "poisson:100/s")
	if t.Given() {
		if _, err := load.ParseRate(t.Value); err != nil {
			r.doc.Failf(n, "%s %s", key, strings.TrimPrefix(err.Error(), "--rate "))
		}
	}
	return t
}

func (r *reader) count(key string, n *yaml.Node) int {
	const most = 1 << 20
	t := r.word(key, n, "50")
	v, err := strconv.Atoi(t.Value)
	if t.Given() && (err != nil || v < 1 || v > most) {
		r.doc.Failf(n, "%s: %q is no whole number from 1 on: write %s: 50", key, t.Value, key)
	}
	return v
}

func (r *reader) cores(key string, n *yaml.Node) float64 {
	t := r.word(key, n, "1.5")
	v, err := strconv.ParseFloat(t.Value, 64)
	if t.Given() && (err != nil || !(v > 0 && v <= 4096)) { // neither is NaN
		r.doc.Failf(n, "%s: %q is no number of cores above 0: write %s: 1.5", key, t.Value, key)
	}
	return v
}

func (r *reader) length(key string, n *yaml.Node) Length {
	t := r.word(key, n, "15s")
	if !t.Given() {
		return Length{}
	}
	d, err := time.ParseDuration(t.Value)
	switch {
	case err != nil || d < 0:
		r.doc.Failf(n, "%s: %q is no time: write it with its unit, such as 15s", key, t.Value)
	case key == "duration" && (d < time.Second || d%time.Second != 0):
		r.doc.Failf(n, "%s: %s: a CPU profile lasts whole seconds: write %s", key, t.Value, max(time.Second, d.Round(time.Second)))
	}
	return Length{t, d}
}

func (r *reader) own(key string, n *yaml.Node) []Text {
	const like = "[github.com/acme/...]"
	out := r.words(key, n, like)
	for _, t := range out {
		path := strings.TrimSuffix(strings.TrimSuffix(t.Value, "/..."), "/*")
		if path == "" || strings.ContainsAny(path, "* \t\\,") || strings.Contains(path, "...") || strings.Contains(path, "://") || path[0] == '/' || path[0] == '.' {
			r.doc.FailAtf(t, "%s: %q is no pattern of import paths: write %s: %s", key, t.Value, key, like)
		}
	}
	return out
}

func (r *reader) baseline(key string, n *yaml.Node) Baseline {
	var b Baseline
	if n.Kind == yaml.ScalarNode {
		r.doc.Failf(n, "%s has two parts: write %s: {revision: %s} for `unpark ab`, {runs: [%s]} for `unpark check`", key, key, n.Value, n.Value)
		return b
	}
	r.doc.Pairs(n, strict.Mapping{What: key, Like: "revision: main"}, func(k, v *yaml.Node) {
		switch {
		case k.Value != "revision" && k.Value != "runs":
			r.doc.Failf(k, "%s: unknown key %q: the keys are revision (git, for `unpark ab`) and runs (directories, for `unpark check`)", key, k.Value)
		case strict.Null(v):
		case k.Value == "revision":
			b.Revision = r.plain("revision", v, "main")
		default:
			b.Runs = r.words("runs", v, "[unpark-runs/main-1]")
		}
	})
	return b
}
