package evidence

import (
	"testing"

	"github.com/unpark-go/unpark"
)

// dumping is the stack of a goroutine profile that is being written.
const dumping = " runtime.goroutineProfileWithLabelsConcurrent runtime/pprof.writeRuntimeProfile runtime/pprof.writeGoroutine net/http/pprof.handler.ServeHTTP" + serve

// watchedClosely is a service that uses a tenth of a core: a third of what the system
// counts, while the rest is goroutine profiles of 100 000 parked goroutines and the
// collection of their garbage. So does the system: 0.3 cores over ten seconds.
func watchedClosely(t *testing.T) Input {
	w := window(10)
	w.Load = &unpark.Load{Requests: 100}
	w.Processes = []unpark.Process{{
		PID: 7, Cores: unpark.Num(0.3), GOMAXPROCS: unpark.Num(2),
		Metrics: unpark.Metrics{GCCPU: unpark.Num(1.2), GCCycles: unpark.Num(20), AllocBytes: unpark.Num(1e9), AllocObjects: unpark.Num(1e6)},
	}}
	return Input{Host: unpark.Host{CPUs: 2}, Window: w, Profiles: single(
		profileOf(t, unpark.KindCPU,
			made{"main.handle@20" + serve, 0.85, 85},
			made{"runtime.memmove" + dumping, 1, 100},
			made{"runtime.scanobject runtime.gcDrain runtime.gcBgMarkWorker", 1, 100},
			made{"runtime.scanobject runtime.gcDrainN runtime.gcAssistAlloc runtime.mallocgc" + dumping, 0.15, 15},
		),
		profileOf(t, unpark.KindAllocs,
			made{"main.handle@20" + serve, 1e8, 1e5},
			made{"runtime.mallocgc" + dumping, 9e8, 9e5},
		),
	)}
}

// TestObserverIsNoPartOfTheService: a request takes 0.01 s of CPU where the process
// takes 0.03 s, and what the capture makes the collector do is the capture's.
func TestObserverIsNoPartOfTheService(t *testing.T) {
	ev, _, _ := Reduce(watchedClosely(t))
	// Of 1.15 s of collecting nine tenths are for the capture's bytes: 1.035 s, of which it
	// paid 0.15 s itself.
	moved := 0.9*1.15 - 0.15
	sampled := 1.85 - moved
	for _, x := range []struct {
		name string
		got  unpark.Number
		want float64
	}{
		{"cores", ev.CPU.Cores, 0.3},
		{"sampled", ev.CPU.Sampled, sampled},
		{"observer", ev.CPU.Observer, 1.15 + moved},
		{"service", ev.CPU.Service, 0.3 * sampled / 3},
		{"gc", ev.CPU.Shares.GC, (1 - moved) / sampled},
		{"app", ev.CPU.Shares.App, 0.85 / sampled},
		{"allocated", ev.GC.AllocBytes, 1e8},
		{"objects", ev.GC.AllocCount, 1e5},
		{"cycles", ev.GC.Cycles, 2},
		{"gc by the runtime", ev.GC.CPUShare, 0.12 / sampled},
		{"observer in the document", unpark.Num(ev.Window.Observer.CPU), 3 - sampled},
		{"observer's bytes", ev.Window.Observer.Alloc, 9e8},
	} {
		if !x.got.Known() || !near(x.got.Or(0), x.want, 1e-6) {
			t.Errorf("%s is %v, want %v", x.name, x.got, x.want)
		}
	}
}

// TestServiceCollectsItsOwn: what a service allocates itself is its own, and so are the
// cores of a process that no profile is of.
func TestServiceCollectsItsOwn(t *testing.T) {
	in := watchedClosely(t)
	in.Profiles[unpark.KindAllocs] = single(profileOf(t, unpark.KindAllocs, made{"main.handle@20" + serve, 1e9, 1e6}))[unpark.KindAllocs]
	ev, _, _ := Reduce(in)
	if !near(ev.CPU.Sampled.Or(0), 1.85, 1e-9) || !near(ev.CPU.Shares.GC.Or(0), 1/1.85, 1e-9) || ev.GC.Cycles.Or(0) != 20 || ev.GC.AllocBytes.Or(0) != 1e9 {
		t.Errorf("cpu %+v gc %+v", ev.CPU, ev.GC)
	}
	in.Window.Processes = append(in.Window.Processes, unpark.Process{PID: 8, Cores: unpark.Num(1)})
	if ev, _, _ := Reduce(in); !near(ev.CPU.Service.Or(0), 1.3-0.115, 1e-9) {
		t.Errorf("service %v of %v cores", ev.CPU.Service, ev.CPU.Cores)
	}
	delete(in.Profiles, unpark.KindCPU) // nothing is known of the observer
	if ev, _, _ := Reduce(in); ev.CPU.Service != ev.CPU.Cores || !ev.CPU.Cores.Known() {
		t.Errorf("service %v of %v cores without a profile", ev.CPU.Service, ev.CPU.Cores)
	}
}

// TestRequestsOfVoidParts: the service answered them too, so that each costs less; the figures of the load stay those of
// the parts that count.
func TestRequestsOfVoidParts(t *testing.T) {
	in := watchedClosely(t)
	in.Window.Load = &unpark.Load{Requests: 100, Beside: unpark.Num(300)}
	ev, _, _ := Reduce(in)
	if got := ev.Requests.Or(0); got != 400 || ev.Window.Load.Requests != 100 {
		t.Errorf("%v requests, %d of the load", got, ev.Window.Load.Requests)
	}
	if got := ev.PerRequest(4).Or(0); got != 0.01 {
		t.Errorf("%v of 4 a request", got)
	}
}
