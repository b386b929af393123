package main

import (
	"context"
	"fmt"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/project"
	"github.com/unpark-go/unpark/internal/turns"
)

// byFile reports whether the project file says what is requested.
func (l *loadFlags) byFile() bool {
	return l.project != nil && len(l.project.URLs) > 0 && len(l.urls) == 0 && l.targets == ""
}

// prepare returns what completes the paths of the project file with the address of
// the target; nil when there are none.
func (l *loadFlags) prepare() func(context.Context, string, unpark.Plan) (unpark.Plan, error) {
	if !l.byFile() || !l.project.URLs[0].Relative() {
		return nil
	}
	return func(ctx context.Context, base string, plan unpark.Plan) (unpark.Plan, error) {
		var err error
		l.unstarted = false
		plan.Requests, err = l.ofFile(ctx, base)
		return plan, err
	}
}

// ofFile builds the requests of the project file; base is put before paths. Flags for
// method, body and accepted statuses win.
func (l *loadFlags) ofFile(ctx context.Context, base string) ([]unpark.Request, error) {
	f := l.project
	var out []unpark.Request
	for _, u := range f.URLs {
		one := *l
		one.urls = []string{u.Address.Value}
		if u.Relative() {
			one.urls = []string{base + u.Address.Value}
		}
		if l.method == "" {
			one.method = u.Method
		}
		if len(l.expect) == 0 {
			one.expect = u.Expect
		}
		var err error
		if one.body == "" && one.bodyFile == "" {
			if one.body, err = f.Expand(u.Body, os.LookupEnv); err != nil {
				return nil, status{exitUsage, err}
			}
		}
		made, err := one.explicit(ctx)
		if err != nil {
			return nil, status{exitUsage, f.Errorf(u.Address, "%w", err)}
		}
		l.unasked = l.unasked || one.unasked
		for i := range made {
			made[i].Weight = max(u.Weight, 0)
		}
		out = append(out, made...)
	}
	return out, nil
}

// fileHeaders returns the headers of the project file for a request: they may hold
// secrets, which only the file's own hosts and this machine get to see.
func (l *loadFlags) fileHeaders(address string) (map[string][]string, error) {
	out := map[string][]string{}
	if l.project == nil || !l.trusted(address) {
		return out, nil
	}
	for _, h := range l.project.Headers {
		value, err := l.project.Expand(h.Value, os.LookupEnv)
		if err != nil {
			return nil, status{exitUsage, err}
		}
		if strings.ContainsAny(value, "\r\n\x00") {
			return nil, status{exitUsage, l.project.Errorf(h.Value, "headers: the value of %s has a line break in it, after its variables were put in", h.Name)}
		}
		out[h.Name] = append(out[h.Name], value)
	}
	return out, nil
}

// trusted reports whether an address is on this machine, or of a host that the file
// names.
func (l *loadFlags) trusted(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return strings.HasPrefix(address, "unix://")
	}
	host := u.Hostname()
	if u.Scheme == "unix" {
		return true
	}
	if addr, err := netip.ParseAddr(host); err == nil && addr.IsLoopback() || host == "localhost" {
		return true
	}
	return slices.ContainsFunc(l.project.URLs, func(known project.URL) bool {
		k, err := url.Parse(known.Address.Value)
		return err == nil && k.Hostname() == host
	})
}

// needsAddress refuses paths for a command that starts nothing.
func (l *loadFlags) needsAddress() error {
	if l.byFile() && l.project.URLs[0].Relative() {
		u := l.project.URLs[0].Address
		return status{exitUsage, l.project.Errorf(u, "urls: %s has no host, and `unpark load` starts nothing: name what runs, such as unpark load http://127.0.0.1:8080%s", u.Value, u.Value)}
	}
	return nil
}

// adopted takes what the flags of an experiment do not say from the project file: the
// package, and as arms its baseline's revision against the working tree.
func (a *abFlags) adopted(f *project.File, args []string) (adopted, error) {
	if f != nil && !a.target.given("pkg") && (isCommand(a.before) || isCommand(a.after)) {
		out := adopted{file: f, args: args}
		out.adoptLoad(&a.load)
		return out, nil
	}
	out, err := adopt(f, &a.load, &a.target, args)
	if err != nil || f == nil || a.target.pkg == "" || a.before != "" && a.after != "" {
		return out, err
	}
	if a.before == "" && !f.Baseline.Revision.Given() {
		return out, status{exitUsage, fmt.Errorf("%s: compare with what? It names no revision: name both arms with --before main --after . or write baseline: {revision: main}", f.Name)}
	}
	if a.before == "" {
		a.before = f.Baseline.Revision.Value
	}
	if a.after == "" {
		a.after = turns.WorkingTree
	}
	out.used = append(out.used, a.before+" against "+a.after)
	return out, nil
}

// isCommand tells an arm that is a command from one that is a revision of the project
// file's package: it has blanks, or is a program.
func isCommand(arm string) bool {
	if strings.ContainsAny(arm, " \t") {
		return true
	}
	_, err := exec.LookPath(arm)
	return arm != "" && err == nil
}
