package main

import (
	"bytes"
	"context"
	"maps"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load/requests"
)

// requests builds what is sent: by the flags, else by the project file, whose paths
// have to wait until the target has opened its port.
func (l *loadFlags) requests(ctx context.Context) ([]unpark.Request, error) {
	switch {
	case !l.byFile():
		return l.explicit(ctx)
	case l.project.URLs[0].Relative():
		return nil, nil
	}
	return l.ofFile(ctx, "")
}

// explicit builds what the flags say: the URLs, then the list.
func (l *loadFlags) explicit(ctx context.Context) ([]unpark.Request, error) {
	header, err := l.header()
	if err != nil {
		return nil, err
	}
	body := []byte(l.body)
	if l.bodyFile != "" {
		if body, err = os.ReadFile(l.bodyFile); err != nil {
			return nil, usage("--body-file: %w", err)
		}
	}
	method := strings.ToUpper(l.method)
	if method == "" {
		method = "GET"
		if len(body) > 0 {
			method = "POST"
		}
	}
	var out []unpark.Request
	for _, text := range l.urls {
		weight, address := weighted(text)
		if address, err = socketURL(address, isSocket); err != nil {
			return nil, err
		}
		ofFile, err := l.fileHeaders(address)
		if err != nil {
			return nil, err
		}
		header := merged(ofFile, header)
		r := unpark.Request{Method: method, URL: address, Body: body}
		if !strings.HasPrefix(address, unpark.Unix) {
			u, err := url.Parse(address)
			if err != nil || u.Host == "" || !slices.Contains([]string{"http", "https", "grpc", "grpcs"}, u.Scheme) {
				return nil, usage("--url %q is no address: write http://host:port/path, grpc://host:port/package.Service/Method, or unix:///run/app.sock:/path", unpark.RedactURL(text))
			}
			if overGRPC(u) {
				if bytes.Contains(body, []byte("{{")) {
					return nil, usage("--body of %s: {{…}} is not filled in calls of gRPC, whose messages are made before the load: write one message", unpark.RedactURL(address))
				}
				if r, err = l.call(ctx, u, body, header); err != nil {
					return nil, err
				}
			}
		}
		r.Header, r.Weight, r.Expect = header, weight, l.expect
		out = append(out, r)
	}
	if l.targets != "" {
		listed, err := readTargets(l.targets)
		if err != nil {
			return nil, err
		}
		out = append(out, withFlags(listed, header, l.expect)...)
	}
	return fill(out, l.values)
}

// weighted splits "9*URL".
func weighted(text string) (weight float64, address string) {
	if before, after, ok := strings.Cut(text, "*"); ok {
		if w, err := strconv.ParseFloat(before, 64); err == nil && w > 0 {
			return w, after
		}
	}
	return 1, text
}

// withFlags adds what the flags say to requests of a list, which come first.
func withFlags(listed []unpark.Request, header map[string][]string, expect []int) []unpark.Request {
	for i := range listed {
		r := &listed[i]
		r.Expect = expect
		r.Header = merged(header, r.Header)
	}
	return listed
}

// merged joins headers; the second ones win.
func merged(a, b map[string][]string) map[string][]string {
	out := maps.Clone(a)
	for name := range out {
		for other := range b {
			if strings.EqualFold(name, other) {
				delete(out, name)
			}
		}
	}
	maps.Copy(out, b)
	return out
}

func readTargets(file string) ([]unpark.Request, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, usage("--targets: %w", err)
	}
	defer f.Close()
	list, err := requests.Read(file, f, os.ReadFile)
	if err != nil {
		return nil, usage("--targets: %w", err)
	}
	for i := range list {
		if list[i].URL, err = socketURL(list[i].URL, isSocket); err != nil {
			return nil, usage("--targets %s: %w", file, err)
		}
	}
	return list, nil
}

// readArrivals reads the instants of a replay, in seconds.
func readArrivals(file string) ([]float64, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, usage("--arrivals: %w", err)
	}
	defer f.Close()
	at, err := requests.Timestamps(file, f)
	if err != nil {
		return nil, usage("--arrivals: %w", err)
	}
	out := make([]float64, len(at))
	for i, d := range at {
		out[i] = d.Seconds()
	}
	return out, nil
}

// fill makes templates of the URLs and bodies that have places to fill.
func fill(all []unpark.Request, specs []string) ([]unpark.Request, error) {
	values, err := requests.ReadValues(specs, os.ReadFile)
	if err != nil {
		return nil, usage("--values: %w", err)
	}
	escaped := values.Escaped()
	for i := range all {
		r := &all[i]
		if u, err := url.Parse(r.URL); err == nil && overGRPC(u) {
			continue // its body is no text
		}
		t, err := requests.Compile([]byte(requestTarget(r.URL)), escaped)
		if err != nil {
			return nil, usage("URL %q: %w", unpark.RedactURL(r.URL), err)
		}
		if !t.Fixed() {
			r.Target = t
		}
		if t, err = requests.Compile(r.Body, values); err != nil {
			return nil, usage("body of %s: %w", unpark.RedactURL(r.URL), err)
		}
		if !t.Fixed() {
			r.Payload = t
		}
	}
	return all, nil
}

// requestTarget returns what follows the host of a URL, at least "/".
func requestTarget(address string) string {
	if _, target, ok := unpark.SplitUnix(address); ok {
		return target
	}
	_, rest, _ := strings.Cut(address, "://")
	slash := strings.IndexAny(rest, "/?#")
	if slash < 0 {
		return "/"
	}
	rest, _, _ = strings.Cut(rest[slash:], "#")
	if !strings.HasPrefix(rest, "/") {
		rest = "/" + rest
	}
	return rest
}

func (l *loadFlags) header() (map[string][]string, error) {
	out := map[string][]string{}
	for i, h := range l.headers {
		name, value, ok := strings.Cut(h, ":")
		if name = strings.TrimSpace(name); !ok || name == "" {
			return nil, usage("--header: the one at place %d has no name before a colon: write Name: value", i+1) // its text may be secret
		}
		out[name] = append(out[name], strings.TrimSpace(value))
	}
	return out, nil
}
