package offers

import (
	"slices"
	"strings"
	"unicode"

	"github.com/unpark-go/unpark"
)

// What the names of settings are made of that have to do with a class of findings.
var (
	sizes = words("max limit size pool conn conns connections concurrency concurrent workers worker parallel parallelism capacity " +
		"idle open queue buffer inflight outstanding pending mailbox shards shard window streams consumers prefetch depth total active procs goroutines threads")
	times   = words("interval delay wait backoff period poll polling flush linger frequency every retry tick batch latency sleep pause cooldown timeout ttl threshold")
	modes   = words("async block blocking nonblocking drop sync nosync fsync batch readonly concurrent")
	traffic = words("window concurrency parallel parallelism pool pipeline batch prefetch page part chunk cache keepalive idle conns streams compress buffer size parts linger")
	disk    = words("sync nosync fsync async buffer batch flush wal mmap cache direct size grow freelist keep reuse descriptor descriptors")
	shared  = words("shards shard stripes async buffer readonly concurrent lock locks nolock nolocks sync batch block blocking pool workers copy")
	work    = words("cache cached level reuse pool skip limit max depth lazy strict validate validation fast unsafe copy nocopy compress compression " +
		"concurrency cost index buffer size chunk window history workers optimize escape cardinality descriptors buckets check verify preallocate initial capacity disable growth grow coeff factor load")
)

// switches are what a setting says that turns something off which costs, whatever that is.
var switches = words("disable disabled enable enabled skip")

// amounts are the words of bounds of how much is taken in, which end no wait for a place or an answer.
var amounts = words("memory decompressed message body line response")

// tries are the words of what is done again after a failure, which is no cost of what is computed or asked once.
var tries = words("attempt attempts retry retries backoff clock")

// without is what stands in the name of a switch before what it leaves out.
var without = words("no without omit prevent avoid")

// faint are words of what computes that say too little of a setting alone.
var faint = words("max initial index load check history capacity total")

// none are the words of settings that are for something else.
var none = words("log logger logging name label hook err error errors tls password user color prefix test id version closed done port host addr deadline")

func words(list string) []string { return strings.Fields(list) }

// stem is how long a word is that others begin with which mean the same: buffer and buffered, cache and
// cacheable.
const stem = 5

// suits says how well a setting goes with a class of findings: how many of its words do, and whether all
// do; 0 where it does not.
func suits(class unpark.Class, s setting) (n int, whole bool) {
	of := s.words()
	fit := fitsOf(class, s, of)
	all := of
	for _, w := range unpark.Words(s.fills) { // what it fills says what it is for as well
		if !slices.Contains(all, w) {
			all = append(slices.Clip(all), w)
		}
	}
	if len(of) == 1 && of[0] == "size" {
		return 0, false // of a thing, and none that is set
	}
	named := 0 // words of the name itself that fit
	for i, w := range all {
		switch {
		case slices.Contains(none, w):
			return 0, false
		case slices.ContainsFunc(fit, func(f string) bool { return w == f || len(f) >= stem && strings.HasPrefix(w, f) }):
			n++
			if i < len(of) {
				named++
			}
		}
	}
	timed := strings.HasSuffix(s.kind, "Duration")
	switch {
	case !waits(class) && n == 1 && len(of) > 1 && slices.ContainsFunc(of, func(w string) bool { return slices.Contains(faint, w) && slices.Contains(fit, w) }):
		return 0, false
	case waits(class) && class != unpark.ClassIO && slices.ContainsFunc(all, func(w string) bool { return slices.Contains(amounts, w) }):
		return 0, false
	case class == unpark.ClassPool && s.kind == "bool", class == unpark.ClassPool && timed:
		return 0, false // a place is not had by a time
	case class == unpark.ClassRateLimit && !timed && n == 1 && slices.Contains(all, "max"):
		return 0, false
	case class != unpark.ClassRateLimit && class != unpark.ClassChannel && slices.ContainsFunc(of, func(w string) bool { return slices.Contains(tries, w) }):
		return 0, false
	case slices.Contains(all, "timeout") && (class != unpark.ClassRateLimit && class != unpark.ClassChannel || n < 2):
		return 0, false // what ends a wait is not what it is for
	}
	return n, named == len(of)
}

// fitsOf is the words of settings that have to do with a class, of one of a type and a name.
func fitsOf(class unpark.Class, s setting, of []string) []string {
	var fit []string
	switch class {
	case unpark.ClassPool:
		fit = sizes
	case unpark.ClassChannel:
		fit = slices.Concat(sizes, times, modes)
	case unpark.ClassRateLimit:
		fit = append(words("rate burst qps limit"), times...)
	case unpark.ClassDownstream:
		fit = append(traffic, times...)
	case unpark.ClassIO, unpark.ClassSyscall:
		fit = append(disk, words("interval delay nodelay")...)
	case unpark.ClassLock:
		fit = shared
	default:
		fit = work
	}
	switch {
	case s.kind != "bool":
		fit = slices.DeleteFunc(slices.Clone(fit), func(w string) bool { return w == "skip" }) // how many are skipped is no mode
	case !waits(class) || class == unpark.ClassLock || slices.ContainsFunc(of, func(w string) bool { return slices.Contains(fit, w) }):
		fit = slices.Concat(fit, switches) // what turns anything else off ends no wait but that for what is held meanwhile
	}
	return fit
}

// words is what the name of a setting is made of: of a field's, or of a parameter's in brackets behind its function.
func (s setting) words() []string {
	if _, param, ok := strings.Cut(s.name, "("); ok {
		return unpark.Words(strings.TrimSuffix(param, ")"))
	}
	return unpark.Words(s.name[strings.LastIndexByte(s.name, '.')+1:])
}

// elsewhere reports whether a setting is for something that is no cost.
func (s setting) elsewhere() bool {
	return slices.ContainsFunc(s.words(), func(w string) bool { return slices.Contains(none, w) })
}

// reads reports whether an exported function of a name reads something: what it reads again a cache saves.
func reads(name string) bool {
	name = name[strings.LastIndexByte(name, '.')+1:]
	return unicode.IsUpper([]rune(name + "_")[0]) && slices.Contains(looks, unpark.Words(name)[0])
}

// cache reports whether a setting is how much is kept of what was read.
func cache(s setting) bool {
	of := s.words()
	return slices.Contains(of, "cache") && s.kind != "bool"
}

// buffers reports whether a setting is how much one call of the system moves, which is nothing for how long the other side takes.
func buffers(s setting) bool {
	of := s.words()
	return slices.Contains(of, "buffer") && slices.ContainsFunc(of, func(w string) bool { return w == "read" || w == "write" })
}

// idles reports whether a setting is of connections that nothing is asked over, which ends no wait for an answer.
func idles(s setting) bool {
	return slices.ContainsFunc(s.words(), func(w string) bool { return w == "idle" || w == "keepalive" })
}
