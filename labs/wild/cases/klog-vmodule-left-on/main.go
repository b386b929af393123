// The scoring part of a scheduler: for a job it goes through the machines, leaves out those that
// cannot take it, scores the others, and answers with the best. What it does is logged at levels
// that are off. In the one variant the flag -vmodule is set for another file, from a search for a
// fault there.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net/http"
	"sort"
	"strconv"

	"k8s.io/klog/v2"

	"wild/service"
)

// machine is what jobs run on.
type machine struct {
	Name   string
	Zone   string
	Cores  int
	Memory int
	Used   struct{ Cores, Memory int }
	Taints map[string]bool
}

// job is what is asked for.
type job struct {
	Name   string
	Zone   string
	Cores  int
	Memory int
	Bears  map[string]bool
}

type scored struct {
	Machine string  `json:"machine"`
	Score   float64 `json:"score"`
}

// scheduler knows the machines.
type scheduler struct{ machines []*machine }

func newScheduler() *scheduler {
	s := &scheduler{}
	for i := range 150 {
		m := &machine{Name: fmt.Sprintf("node-%03d", i), Zone: fmt.Sprint("zone-", i%3), Cores: 16 + 16*(i%4), Memory: 64 << (i % 3), Taints: map[string]bool{}}
		m.Used.Cores, m.Used.Memory = i%14, i%50
		if i%9 == 0 {
			m.Taints["gpu"] = true
		}
		s.machines = append(s.machines, m)
	}
	return s
}

// fits reports whether a machine can take a job.
func (s *scheduler) fits(j job, m *machine) bool {
	for taint := range m.Taints {
		if !j.Bears[taint] {
			klog.V(4).Infof("%s does not bear %s of %s", j.Name, taint, m.Name)
			return false
		}
	}
	if j.Cores > m.Cores-m.Used.Cores {
		klog.V(4).Infof("%s: too few cores on %s", j.Name, m.Name)
		return false
	}
	if j.Memory > m.Memory-m.Used.Memory {
		klog.V(4).Infof("%s: too little memory on %s", j.Name, m.Name)
		return false
	}
	klog.V(5).Infof("%s fits %s", j.Name, m.Name)
	return true
}

// score is higher where more is left, and in the zone that is wished for.
func (s *scheduler) score(j job, m *machine) float64 {
	left := float64(m.Cores-m.Used.Cores-j.Cores)/float64(m.Cores) + float64(m.Memory-m.Used.Memory-j.Memory)/float64(m.Memory)
	if m.Zone == j.Zone {
		left += 0.5
	}
	klog.V(6).Infof("%s on %s: %.3f", j.Name, m.Name, left)
	return left
}

// place returns the best machines for a job.
func (s *scheduler) place(j job) []scored {
	var out []scored
	for _, m := range s.machines {
		if s.fits(j, m) {
			out = append(out, scored{m.Name, s.score(j, m)})
		}
	}
	sort.Slice(out, func(a, b int) bool { return out[a].Score > out[b].Score })
	klog.V(2).Infof("%s: %d of %d machines fit", j.Name, len(out), len(s.machines))
	return out[:min(5, len(out))]
}

func parse(r *http.Request) (job, error) {
	q := r.URL.Query()
	cores, err := strconv.Atoi(q.Get("cores"))
	if err != nil {
		return job{}, err
	}
	memory, err := strconv.Atoi(q.Get("memory"))
	if err != nil {
		return job{}, err
	}
	return job{q.Get("job"), q.Get("zone"), cores, memory, map[string]bool{"gpu": q.Has("gpu")}}, nil
}

func main() {
	flags := flag.NewFlagSet("scheduler", flag.ExitOnError)
	klog.InitFlags(flags)
	arguments := []string{"-v=1", "-vmodule=preempt=5"}
	if service.After() {
		arguments = arguments[:1]
	}
	if err := flags.Parse(arguments); err != nil {
		log.Fatal(err)
	}
	s := newScheduler()
	http.HandleFunc("/place", func(w http.ResponseWriter, r *http.Request) {
		j, err := parse(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(w).Encode(s.place(j)); err != nil {
			klog.Error(err)
		}
	})
	service.Run(http.DefaultServeMux)
}
