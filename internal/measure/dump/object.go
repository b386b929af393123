package dump

import "fmt"

// object is what a goroutine waits on. The zero value is unknown.
type object struct {
	kind    string // "sync.Mutex"
	address uint64
}

func (o object) known() bool { return o.address != 0 }

func (o object) String() string {
	if !o.known() {
		return o.kind
	}
	return fmt.Sprintf("%s 0x%x", o.kind, o.address)
}

// object returns what the calls at the leaf wait on: the first argument of a
// function that blocks is its receiver or a part of it, and is printed as live
// where the function still needs it. For a read lock nothing live is left by the
// time it parks, and the calls that hold channels are the runtime's, which a dump
// leaves out whatever GOTRACEBACK says (runtime/mprof.go:Stack sets its level).
//
// An RWMutex begins with the Mutex that its writers take, so that the two have
// the same address (sync/rwmutex.go); the outermost name counts.
func (t *track) object() object {
	var o object
	at := 0
	for i, on := range t.at.blocks {
		if on != "" {
			o.kind = string(on)
			if n := t.at.words[i]; n > 0 && at < len(t.args) && t.args[at].sure && t.args[at].value != 0 {
				o.address = t.args[at].value
			}
		}
		at += t.at.words[i]
	}
	return o
}

// reach is how far behind the beginning of a value a lock in it is looked for.
const reach = 256

// uses returns how far before the object an argument of the goroutine points: 0
// at the object itself, a little where it is a field of what is pointed to. Only
// live arguments count, and not those of the call that blocks.
func (t *track) uses(o object) (distance uint64, ok bool) {
	best, ok := uint64(0), false
	for _, a := range t.args[min(t.at.skip, len(t.args)):] {
		if d := o.address - a.value; a.sure && a.value != 0 && a.value <= o.address && d <= reach && (!ok || d < best) {
			best, ok = d, true
		}
	}
	return best, ok
}
