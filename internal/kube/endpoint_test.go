package kube

import (
	"net/url"
	"strings"
	"testing"
)

func withPorts(notes map[string]string, ports ...any) *pod {
	var p pod
	p.Status.IP, p.Metadata.Annotations = "10.1.0.1", map[string]string{}
	for k, v := range notes {
		p.Metadata.Annotations[prefix+k] = v
	}
	c := podContainer{Name: "c"}
	for i := 0; i+1 < len(ports); i += 2 {
		c.Ports = append(c.Ports, struct {
			Name   string `json:"name"`
			Number int    `json:"containerPort"`
		}{ports[i].(string), ports[i+1].(int)})
	}
	p.Spec.Containers = []podContainer{c}
	return &p
}

func TestEndpoint(t *testing.T) {
	type note = map[string]string
	for name, c := range map[string]struct {
		pod       *pod
		want, why string
	}{
		"none":                     {withPorts(nil, "http", 8080), "", "no annotation"},
		"not scraped":              {withPorts(note{"cpu.scrape": "false", "cpu.port": "6060"}), "", "no annotation"},
		"a port":                   {withPorts(note{"cpu.scrape": "true", "cpu.port": "6060"}, "http", 8080), "http://10.1.0.1:6060/debug/pprof", ""},
		"another type alone":       {withPorts(note{"memory.scrape": "true", "memory.port": "6060"}), "http://10.1.0.1:6060/debug/pprof", ""},
		"a port by name":           {withPorts(note{"cpu.scrape": "true", "cpu.port_name": "debug"}, "http", 8080, "debug", 6061), "http://10.1.0.1:6061/debug/pprof", ""},
		"name and number":          {withPorts(note{"cpu.scrape": "true", "cpu.port_name": "debug", "cpu.port": "7070"}, "debug", 6061), "http://10.1.0.1:7070/debug/pprof", ""},
		"a name that is not there": {withPorts(note{"cpu.scrape": "true", "cpu.port_name": "debug"}, "http", 8080), "", `declares no port "debug"`},
		"http2 by itself":          {withPorts(note{"cpu.scrape": "true"}, "grpc", 9090, "http2", 8080), "http://10.1.0.1:8080/debug/pprof", ""},
		"-metrics by itself":       {withPorts(note{"cpu.scrape": "true"}, "grpc", 9090, "http-metrics", 8081), "http://10.1.0.1:8081/debug/pprof", ""},
		"the only port":            {withPorts(note{"cpu.scrape": "true"}, "http", 8080), "http://10.1.0.1:8080/debug/pprof", ""},
		"several, none usual":      {withPorts(note{"cpu.scrape": "true"}, "http", 8080, "grpc", 9090), "", "add profiles.grafana.com/cpu.port"},
		"https":                    {withPorts(note{"cpu.scrape": "true", "cpu.port": "6060", "cpu.scheme": "https"}), "https://10.1.0.1:6060/debug/pprof", ""},
		"a scheme of its own":      {withPorts(note{"cpu.scrape": "true", "cpu.port": "6060", "cpu.scheme": "ftp"}), "http://10.1.0.1:6060/debug/pprof", ""},
		"a path":                   {withPorts(note{"cpu.scrape": "true", "cpu.port": "6060", "cpu.path": "/admin/debug/pprof/profile"}), "http://10.1.0.1:6060/admin/debug/pprof", ""},
		"heap for memory":          {withPorts(note{"memory.scrape": "true", "memory.port": "6060", "memory.path": "/debug/pprof/heap"}), "http://10.1.0.1:6060/debug/pprof", ""},
		"godeltaprof":              {withPorts(note{"mutex.scrape": "true", "mutex.port": "6060", "mutex.path": "/debug/pprof/delta_mutex"}), "http://10.1.0.1:6060/debug/pprof", ""},
		"a path of another kind":   {withPorts(note{"cpu.scrape": "true", "cpu.port": "6060", "cpu.path": "/cpu"}), "", "does not end in profile"},
		"the next type will do":    {withPorts(note{"cpu.scrape": "true", "cpu.port": "x", "block.scrape": "true", "block.port": "6060"}), "http://10.1.0.1:6060/debug/pprof", ""},
		"no port":                  {withPorts(note{"cpu.scrape": "true", "cpu.port": "65536"}), "", "is no port"},
		"two endpoints":            {withPorts(note{"cpu.scrape": "true", "cpu.port": "6060", "block.scrape": "true", "block.port": "6061"}), "http://10.1.0.1:6060/debug/pprof", "2 endpoints"},
	} {
		got, why := endpoint(c.pod)
		if got != c.want || !strings.Contains(why, c.why) || c.why == "" && why != "" {
			t.Errorf("%s: %q (%s), want %q (%s)", name, got, why, c.want, c.why)
		}
	}
	v6 := withPorts(note{"cpu.scrape": "true", "cpu.port": "6060"})
	v6.Status.IP = "fd00::1"
	if got, _ := endpoint(v6); got != "http://[fd00::1]:6060/debug/pprof" {
		t.Errorf("IPv6: %s", got)
	}
}

// FuzzEndpoint: whatever a pod is annotated with, what is found is an address of that pod.
func FuzzEndpoint(f *testing.F) {
	f.Add("6060", "debug", "https", "/debug/pprof/profile")
	f.Add("", "", "", "//x/profile")
	f.Add("6060@evil.example:80", "", "http", "/profile")
	f.Fuzz(func(t *testing.T, port, name, scheme, path string) {
		p := withPorts(map[string]string{"cpu.scrape": "true", "cpu.port": port, "cpu.port_name": name, "cpu.scheme": scheme, "cpu.path": path}, "debug", 6060)
		address, why := endpoint(p)
		if address == "" {
			if why == "" {
				t.Error("no endpoint and no reason")
			}
			return
		}
		u, err := url.Parse(address)
		if err == nil && (u.Hostname() != "10.1.0.1" || u.User != nil) {
			t.Errorf("%q is no address of the pod", address)
		}
	})
}
