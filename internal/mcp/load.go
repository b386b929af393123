package mcp

import (
	"fmt"
	"strconv"
	"strings"
)

// load is what find and prove are told of the service and its load. What is left out is taken from unpark.yaml.
type load struct {
	Package     string   `json:"package,omitempty" jsonschema:"the service: a folder such as ./cmd/server; unpark.yaml has it else"`
	Args        []string `json:"args,omitempty" jsonschema:"arguments of the service"`
	URLs        []string `json:"urls,omitempty" jsonschema:"what is requested, with a weight as 9*http://127.0.0.1:8080/path"`
	Method      string   `json:"method,omitempty" jsonschema:"request method"`
	Body        string   `json:"body,omitempty" jsonschema:"request body"`
	Rate        string   `json:"rate,omitempty" jsonschema:"open loop: 500/s or poisson:500/s"`
	Connections int      `json:"connections,omitempty" jsonschema:"closed loop: each sends as soon as it has its answer"`
}

// given reports whether anything is said.
func (l load) given() bool {
	return l.Package != "" || len(l.Args)+len(l.URLs) > 0 || l.Method+l.Body+l.Rate != "" || l.Connections != 0
}

// flags are those of unpark run and unpark prove. Each value stands in its flag's own word, so that none can be a flag.
func (l load) flags() (flags, args []string, err error) {
	add := func(name, value string) {
		if value != "" {
			flags = append(flags, "--"+name+"="+value)
		}
	}
	add("pkg", l.Package)
	for _, u := range l.URLs {
		add("url", u)
	}
	add("method", l.Method)
	add("body", l.Body)
	add("rate", l.Rate)
	if l.Connections < 0 {
		return nil, nil, fmt.Errorf("connections %d: name at least 1, or leave it out", l.Connections)
	}
	if l.Connections > 0 {
		add("connections", strconv.Itoa(l.Connections))
	}
	if l.Package == "" && len(l.Args) > 0 {
		return nil, nil, fmt.Errorf("args %s are those of a package: name it as package, or have unpark.yaml say both", strings.Join(l.Args, " "))
	}
	return flags, l.Args, nil
}
