package prove

import (
	"context"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/units"
)

// Held is a plan that the proof's must not be weaker than.
type Held struct {
	Name string // "unpark.yaml of the tree before", "run find-1"
	Plan unpark.Plan
	// Prepare completes the plan's paths with the service's address; nil where it is complete.
	Prepare func(ctx context.Context, base string, plan unpark.Plan) (unpark.Plan, error)
	// Redacted tells that the plan is from a document: what may be secret is not in it.
	Redacted bool
	// Requests tells that only its requests count: it names neither a rate nor connections.
	Requests bool
}

// weaker says in which ways a plan asks less of a service than the one that it is held to, over so many rounds.
func weaker(p unpark.Plan, h Held, rounds int) []string {
	var out []string
	than := func(format string, a ...any) { out = append(out, fmt.Sprintf(format, a...)+" in "+h.Name) }
	ref := h.Plan
	if h.Redacted {
		p = p.Redacted()
	}
	if !h.Requests {
		switch {
		case p.Mode != ref.Mode:
			than("requests arrive by the mode %s, and by %s", p.Mode, ref.Mode)
		case p.Mode.Open() && p.RateRPS < ref.RateRPS:
			than("the rate is %s, and %s", units.Say(p.RateRPS, "req/s"), units.Say(ref.RateRPS, "req/s"))
		case !p.Mode.Open() && p.Connections < ref.Connections:
			than("the connections are %d, and %d", p.Connections, ref.Connections)
		case p.Mode == unpark.Ramp && !slices.Equal(p.Stages, ref.Stages):
			than("the stages of the ramp are others than")
		}
		if p.Think > ref.Think {
			than("connections wait %s between requests, and %s", units.Say(p.Think, "s"), units.Say(ref.Think, "s"))
		}
		if all := p.Duration * float64(rounds); all < ref.Duration {
			than("%s of %s are %s in all, and the window lasts %s", unpark.Counted(int64(rounds), "round"), units.Say(p.Duration, "s"), units.Say(all, "s"), units.Say(ref.Duration, "s"))
		}
	}
	if p.Protocol != ref.Protocol {
		than("the protocol is %q, and %q", p.Protocol, ref.Protocol)
	}
	return append(out, otherRequests(p, h)...)
}

// otherRequests says which requests are missing, rarer or new.
func otherRequests(p unpark.Plan, h Held) []string {
	var out []string
	is, was := shares(p.Requests, h.Redacted), shares(h.Plan.Requests, h.Redacted)
	for _, r := range h.Plan.Requests {
		key := keyOf(r, h.Redacted)
		share, ok := is[key]
		switch {
		case !ok:
			out = append(out, fmt.Sprintf("%s is not requested, and is in %s", shown(r), h.Name))
		case share < was[key]*leastShare:
			out = append(out, fmt.Sprintf("%s has %s of the requests, and %s in %s", shown(r), units.Percent(share), units.Percent(was[key]), h.Name))
		}
	}
	for _, r := range p.Requests {
		if _, ok := was[keyOf(r, h.Redacted)]; !ok && len(h.Plan.Requests) > 0 {
			out = append(out, fmt.Sprintf("%s is requested, and not in %s", shown(r), h.Name))
		}
	}
	return out
}

// shares is how much of the load each request has.
func shares(all []unpark.Request, redacted bool) map[string]float64 {
	total := 0.0
	for _, r := range all {
		total += r.EffectiveWeight()
	}
	out := map[string]float64{}
	for _, r := range all {
		out[keyOf(r, redacted)] += r.EffectiveWeight() / total
	}
	return out
}

// keyOf tells requests apart. A service on this machine has another port each time that it chooses one itself.
func keyOf(r unpark.Request, redacted bool) string {
	key := r.Method + " " + address(r.URL) + " " + r.Sum + " " + string(r.Stream) + " " + fmt.Sprint(r.Expect)
	if redacted {
		return key
	}
	var headers []string
	for name, values := range r.Header {
		headers = append(headers, fmt.Sprintf("%s: %q", strings.ToLower(name), values))
	}
	slices.Sort(headers)
	return key + fmt.Sprintf(" %q %q", headers, r.Body)
}

// address is a URL, without scheme and host where it is of this machine.
func address(text string) string {
	if _, target, ok := unpark.SplitUnix(text); ok {
		return target
	}
	u, err := url.Parse(text)
	if err != nil {
		return text
	}
	host := u.Hostname()
	if ip, err := netip.ParseAddr(host); host == "localhost" || err == nil && ip.IsLoopback() {
		return u.RequestURI()
	}
	return u.Scheme + "://" + u.Host + u.RequestURI()
}

// shown is a request as a document names it.
func shown(r unpark.Request) string { return r.Method + " " + unpark.RedactURL(r.URL) }
