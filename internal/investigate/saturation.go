package investigate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/target/rusage"
	"github.com/unpark-go/unpark/internal/measure/window"
)

// errSaturated says that the target is too busy to be captured unless that is
// insisted on.
var errSaturated = errors.New("it is saturated already")

const (
	// saturated is the share of its processors from which a service has no room for
	// what capture costs (DESIGN §5: 6 % for a trace, 16 % for everything at once).
	saturated = 0.9
	// glanced is how long the target is watched before that is judged.
	glanced = time.Second
)

// consider refuses a target that is saturated. Where that is not known it warns.
func (r *runner) consider(ctx context.Context, found []*window.Endpoint) error {
	if r.c.Trace <= 0 && r.c.Rates.Block <= 0 {
		return nil // what is left costs next to nothing
	}
	refuse := func(why string) error {
		return fmt.Errorf("capture the service: %w, and a trace would cost its users some more: %s: wait until it is less busy, "+
			"leave out what costs most (--trace 0 --block-rate 0), or insist with --force", errSaturated, why)
	}
	if why := r.c.fullMachine(); why != "" {
		return refuse(why)
	}
	if len(found) == 0 {
		return nil // agents capture all there is
	}
	r.rec.tell(Event{Phase: "start", Detail: "looking how busy the service is", Left: glanced})
	strains, err := window.Look(ctx, found, glanced)
	if err != nil {
		return err
	}
	why, known := strained(strains, r.rec.run.Target.Quota)
	if why != "" {
		return refuse(why)
	}
	if !known {
		r.rec.warn("saturation-unknown", "whether the service is saturated already could not be told before it was captured",
			"look at its processors yourself when its traffic is real, or build it with the probe, which tells")
	}
	return nil
}

// fullMachine says which agent that is to capture has a machine without room, whoever fills it.
func (c Config) fullMachine() string {
	if c.Agents == nil {
		return ""
	}
	for _, a := range c.Agents.Agents {
		if n := float64(a.Host.CPUs); len(c.Agents.Capture[a.Name]) > 0 && n > 0 && a.Load >= saturated*n {
			return fmt.Sprintf("the machine of agent %s is busy with %.2f of its %.0f cores", a.Name, a.Load, n)
		}
	}
	return ""
}

// strained says which processors are full; empty when none are. Those of one machine are
// no help to a process on another. known is false when a process does not tell what it
// uses.
func strained(all []window.Strain, quota unpark.Number) (why string, known bool) {
	known = true
	var machines []string
	for _, s := range all {
		cores, ok := s.Cores.Get()
		if !ok {
			known = false
			continue
		}
		if most, ok := s.GOMAXPROCS.Get(); ok && cores >= saturated*most {
			return fmt.Sprintf("process %d uses %.2f cores with a GOMAXPROCS of %.0f%s", s.PID, cores, most, waiting(s)), true
		}
		if !slices.Contains(machines, s.Machine) {
			machines = append(machines, s.Machine)
		}
	}
	for _, machine := range machines {
		there := slices.DeleteFunc(slices.Clone(all), func(s window.Strain) bool { return s.Machine != machine })
		if why := crowded(there, quota); why != "" {
			return why, true
		}
	}
	return "", known
}

// crowded says whether the processes of one machine fill the processors that they may
// use. What limits a target that is on more machines than this one is not known.
func crowded(there []window.Strain, quota unpark.Number) string {
	sum, allowed := 0.0, quota
	for _, s := range there {
		sum += s.Cores.Or(0)
		if n, ok := s.NumCPU.Get(); ok && n < allowed.Or(n+1) {
			allowed = unpark.Num(n)
		}
	}
	if !allowed.Known() && there[0].Machine == "" {
		allowed = unpark.Num(float64(rusage.Host().CPUs))
	}
	if most, ok := allowed.Get(); ok && sum >= saturated*most {
		return fmt.Sprintf("it uses %.2f of %.2f cores%s", sum, most, waiting(there[0]))
	}
	return ""
}

// waiting adds how long goroutines wait for a processor, if that is known.
func waiting(s window.Strain) string {
	v, ok := s.SchedP99.Get()
	if !ok {
		return ""
	}
	return fmt.Sprintf(", and its goroutines wait up to %v for a processor (p99)", time.Duration(v*float64(time.Second)).Round(10*time.Microsecond))
}
