package external

import (
	"errors"
	"fmt"
	"math"

	"github.com/unpark-go/unpark"
)

// Result is what a load generator printed, understood.
type Result struct {
	// Tool is the generator whose format was recognised: "k6", "vegeta",
	// "autocannon", "oha", "wrk" or "wrk2".
	Tool string
	// Load covers the tool's whole run; its Seconds are the tool's own. Response and
	// Service are the same figures: no tool tells them apart. GeneratorCPU is
	// unknown, the tools do not print it.
	Load unpark.Load
	// Missing says in words what the figures lack, and what they are not.
	Missing []string
}

// ErrUnknown says that the output has the form of no tool that is understood.
var ErrUnknown = errors.New("no load generator's summary was recognised in the output")

// maxOutput bounds what is read: a summary has kilobytes, a tool that prints every
// request has no end.
const maxOutput = 64 << 20

// Formats names what Parse understands, for messages.
func Formats() string {
	return "k6 (its summary, as JSON), vegeta (`vegeta report -type=json`), autocannon (--json), oha (--output-format json, or -j), wrk and wrk2 (their text)"
}

// Parse reads the output of a load generator. The summary may stand among other
// text; of several the last counts. The error wraps ErrUnknown when nothing was
// recognised; any other error means that a summary was recognised and is broken, or
// that the output is larger than 64 MB.
func Parse(out []byte) (Result, error) {
	if len(out) > maxOutput {
		return Result{}, fmt.Errorf("read the load command's output: it is larger than %d MB: let the tool print its summary only", maxOutput>>20)
	}
	var last *Result
	var broken error
	for object := range objects(out) {
		for _, read := range []func([]byte) (*Result, error){readK6, readVegeta, readAutocannon, readOha} {
			r, err := read(object)
			if r != nil || err != nil {
				last, broken = r, err
			}
		}
	}
	if last == nil && broken == nil {
		last, broken = readWrk(out)
	}
	switch {
	case broken != nil:
		return Result{}, fmt.Errorf("read the load command's output: %w", broken)
	case last == nil:
		return Result{}, ErrUnknown
	}
	if l := &last.Load; l.Errors > 0 && l.ErrorSample == "" {
		l.ErrorSample = last.Tool + " does not tell"
	}
	return *last, nil
}

// newLoad returns a load of another generator, with nothing known of it.
func newLoad() unpark.Load {
	return unpark.Load{Mode: unpark.External, Status: map[string]int64{}, ErrorKinds: map[string]int64{}}
}

// Within returns the load of a window of so many seconds inside the tool's run:
// rates and latencies as they are, counts in proportion to the time. That is right
// as far as the load was steady; no tool printed what happened when.
func (r Result) Within(window float64) unpark.Load {
	l := r.Load
	if l.Seconds <= 0 || window <= 0 {
		return l
	}
	share := window / l.Seconds
	scaled := func(n int64) int64 {
		if n <= 0 {
			return 0
		}
		return max(1, int64(math.Round(min(float64(n)*share, exact)))) // what happened stays visible
	}
	all := func(m map[string]int64) map[string]int64 {
		out := make(map[string]int64, len(m))
		for k, n := range m {
			out[k] = scaled(n)
		}
		return out
	}
	l.Requests = int64(math.Round(min(l.AchievedRPS*window, exact)))
	l.Errors, l.Unfinished = scaled(l.Errors), scaled(l.Unfinished)
	l.Status, l.ErrorKinds = all(l.Status), all(l.ErrorKinds)
	l.Seconds = window
	return l
}

// exact is the largest count that a JSON number holds exactly.
const exact = 1 << 53

// count turns a printed count into one; unknown counts as none, because tools leave
// out what did not happen.
func count(n unpark.Number) (int64, error) {
	v := n.Or(0)
	if v < 0 || v > exact {
		return 0, fmt.Errorf("%g is no count", v)
	}
	return int64(v), nil
}

// positive returns n when it is above zero: no tool measures a time or a rate of
// nothing, it only prints one.
func positive(n unpark.Number) unpark.Number {
	if n.Or(0) <= 0 {
		return unpark.Number{}
	}
	return n
}
