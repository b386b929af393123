package kube

import (
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
)

// prefix begins the annotations by which Pyroscope's chart and Grafana's k8s-monitoring find
// profiles of pods: profiles.grafana.com/TYPE.scrape|port|port_name|scheme|path
// (https://grafana.com/docs/pyroscope/latest/deploy-kubernetes/helm/, and
// grafana/k8s-monitoring-helm, feature-profiling/templates/_pprof.tpl).
const prefix = "profiles.grafana.com/"

// types are those that the annotations know, in the order in which an endpoint is looked for,
// with their path below that of net/http/pprof.
func types() []struct{ name, path string } {
	return []struct{ name, path string }{
		{"cpu", "profile"}, {"goroutine", "goroutine"}, {"block", "block"}, {"mutex", "mutex"}, {"memory", "allocs"},
	}
}

// usualPath is where net/http/pprof is mounted.
const usualPath = "/debug/pprof"

// endpoint finds the address of a pod's profiles by its annotations. An empty address has a reason
// why there is none. What is asked for there are all kinds, not only those that are annotated: an
// annotation says what Pyroscope scrapes, not what the endpoint has.
func endpoint(p *pod) (address, why string) {
	why = "no annotation " + prefix + "…"
	var found []string
	for _, t := range types() {
		at := prefix + t.name + "."
		if p.Metadata.Annotations[at+"scrape"] != "true" {
			continue
		}
		a, err := annotated(p, at, t.path)
		if err != nil {
			why = err.Error()
			continue
		}
		if !slices.Contains(found, a) {
			found = append(found, a)
		}
	}
	if len(found) == 0 {
		return "", why
	}
	if len(found) > 1 {
		return found[0], fmt.Sprintf("%d endpoints are annotated; the first is asked for all kinds", len(found))
	}
	return found[0], ""
}

// annotated reads the annotations of one type, as Prometheus' relabelling does: a port by name
// chooses among the declared ones, a number replaces it.
func annotated(p *pod, at, kind string) (string, error) {
	note := p.Metadata.Annotations
	number, name := note[at+"port"], note[at+"port_name"]
	declared, err := declaredPort(p, at, name)
	switch n, parse := strconv.ParseUint(number, 10, 16); {
	case name != "" && err != nil:
		return "", err
	case number != "" && (parse != nil || n == 0):
		return "", fmt.Errorf("annotation %sport: %q is no port", at, number)
	case number == "" && err != nil:
		return "", err
	case number == "":
		number = strconv.Itoa(declared)
	}
	scheme := note[at+"scheme"]
	if scheme != "http" && scheme != "https" {
		scheme = "http" // as the rule's regular expression (https?): anything else leaves the default
	}
	base, err := mounted(at, note[at+"path"], kind)
	if err != nil {
		return "", err
	}
	return scheme + "://" + net.JoinHostPort(p.Status.IP, number) + base, nil
}

// declaredPort finds a port that the pod declares: by its name, or, without one, as Pyroscope's chart
// does: http2, or a name that ends in -metrics or -profiles; or the only one that there is.
func declaredPort(p *pod, at, name string) (int, error) {
	var all []int
	for _, c := range p.Spec.Containers {
		for _, d := range c.Ports {
			usual := d.Name == "http2" || strings.HasSuffix(d.Name, "-metrics") || strings.HasSuffix(d.Name, "-profiles")
			if name != "" && d.Name == name || name == "" && usual {
				return d.Number, nil
			}
			all = append(all, d.Number)
		}
	}
	if name != "" {
		return 0, fmt.Errorf("annotation %sport_name: the pod declares no port %q", at, name)
	}
	if len(all) == 1 {
		return all[0], nil
	}
	return 0, fmt.Errorf("annotation %sscrape has no port beside it, and none of the pod's %d is named http2, …-metrics or …-profiles: add %sport", at, len(all), at)
}

// mounted takes the path of one profile back to that of all.
func mounted(at, path, kind string) (string, error) {
	if path == "" {
		return usualPath, nil
	}
	dir, last := path[:max(0, strings.LastIndex(path, "/"))], path[strings.LastIndex(path, "/")+1:]
	// godeltaprof serves delta_heap, delta_block and delta_mutex beside net/http/pprof.
	last = strings.TrimPrefix(last, "delta_")
	if last == kind || last == "heap" && kind == "allocs" {
		if strings.HasPrefix(dir, "/") {
			return dir, nil
		}
	}
	return "", fmt.Errorf("annotation %spath: %q does not end in %s, so that the other profiles cannot be found beside it", at, path, kind)
}
