package slowdown

import (
	"fmt"
	"hash/fnv"
	"strings"
	"time"
)

// Delay is one place at which a service is slowed down: the names that stand for it
// in its source and environment.
type Delay struct{ id string }

// Delay returns the delay number n of a program, at a spot in a source file. Names
// follow from the file and the function, so that what the compiler caches stays of use.
func (at Spot) Delay(n int, file string) Delay {
	h := fnv.New32a()
	h.Write([]byte(file + " " + at.Site.Function))
	return Delay{fmt.Sprintf("%d_%08x", n, h.Sum32())}
}

// Call is the function that Source declares and Insert calls.
func (d Delay) Call() string { return "unparkDelay" + d.id }

// File is the name of the file for Source.
func (d Delay) File() string { return "zz_unpark_delay_" + d.id + ".go" }

// logVariable names the folder that logs go to.
const logVariable = "UNPARK_DELAY_LOG"

// Env is what a process must be started with: the spin of each call that is
// slowed down, which is every nth one (1: all), and the folder for its log.
func (d Delay) Env(spin time.Duration, every int, logs string) []string {
	return []string{
		fmt.Sprintf("UNPARK_DELAY_NS_%s=%d", d.id, spin.Nanoseconds()),
		fmt.Sprintf("UNPARK_DELAY_EVERY_%s=%d", d.id, max(1, every)),
		logVariable + "=" + logs,
	}
}

// Logs is the pattern of the names of this delay's logs, one a process.
func (d Delay) Logs() string { return d.id + ".*.log" }

// Source returns the file of a package that declares the delay. The dose is read
// when the process starts: one binary serves every arm, so that no arm differs from
// another by where the linker put its code (Mytkowicz et al., "Producing Wrong Data
// Without Doing Anything Obviously Wrong!", ASPLOS 2009).
func (d Delay) Source(pkg string) string {
	return strings.NewReplacer("PKG", pkg, "ID", d.id, "LOGS", logVariable).Replace(template)
}

// template spins on the monotonic clock. What passes between two readings counts
// only when it is short: a thread that was taken off its processor used none.
const template = `// Added by unpark for one experiment; it is not part of the sources.

package PKG

import (
	unparkOS "os"
	unparkStrconv "strconv"
	unparkAtomic "sync/atomic"
	unparkTime "time"
)

var (
	unparkDelayEpochID = unparkTime.Now()
	unparkDelaySpinID  = unparkDelayNumberID("UNPARK_DELAY_NS_ID")
	unparkDelayEveryID = unparkDelayNumberID("UNPARK_DELAY_EVERY_ID")
	unparkDelayCallsID unparkAtomic.Int64
	unparkDelaySpentID unparkAtomic.Int64
)

func unparkDelayNumberID(name string) int64 {
	n, _ := unparkStrconv.ParseInt(unparkOS.Getenv(name), 10, 64)
	return n
}

func unparkDelayID() {
	n := unparkDelayCallsID.Add(1)
	if unparkDelaySpinID <= 0 || unparkDelayEveryID > 1 && n%unparkDelayEveryID != 0 {
		return
	}
	const away = 20 * unparkTime.Microsecond
	var spent unparkTime.Duration
	last := unparkTime.Since(unparkDelayEpochID)
	for spent < unparkTime.Duration(unparkDelaySpinID) {
		now := unparkTime.Since(unparkDelayEpochID)
		if now-last < away {
			spent += now - last
		}
		last = now
	}
	unparkDelaySpentID.Add(int64(spent))
}

func init() {
	dir := unparkOS.Getenv("LOGS")
	if dir == "" {
		return
	}
	f, err := unparkOS.OpenFile(dir+"/ID."+unparkStrconv.Itoa(unparkOS.Getpid())+".log", unparkOS.O_CREATE|unparkOS.O_APPEND|unparkOS.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	go func() {
		for {
			line := unparkStrconv.AppendInt(nil, unparkTime.Now().UnixNano(), 10)
			line = unparkStrconv.AppendInt(append(line, ' '), unparkDelayCallsID.Load(), 10)
			line = unparkStrconv.AppendInt(append(line, ' '), unparkDelaySpentID.Load(), 10)
			if _, err := f.Write(append(line, '\n')); err != nil {
				return
			}
			unparkTime.Sleep(50 * unparkTime.Millisecond)
		}
	}()
}
`
