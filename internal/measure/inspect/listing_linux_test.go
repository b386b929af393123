//go:build linux && (amd64 || arm64)

package inspect

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// waitsAndHolds: goroutines that wait are listed with the address of what they wait for, as
// those that still need it have it.
func waitsAndHolds(t *testing.T, p *Process) {
	t.Helper()
	text, err := p.Stacks()
	if err != nil {
		t.Fatal(err)
	}
	stacks := stacksOf(string(text))
	// Not Wait: from Go 1.25 on that of a group may be inlined into its caller.
	for function, on := range map[string]string{"main.lock": "sync.(*Mutex).", "main.read": "RWMutex", "main.write": "sync.(*", "main.join": "sync."} {
		all := stacks[function]
		if len(all) == 0 {
			t.Errorf("no goroutine in %s:\n%s", function, text)
		}
		for _, calls := range all {
			i := slices.IndexFunc(calls, func(c call) bool { return c.function == function })
			waits := slices.IndexFunc(calls, func(c call) bool { return strings.Contains(c.function, on) })
			if waits < 0 || waits >= i || !slices.ContainsFunc(calls[i].words, calls[waits].lies) {
				t.Errorf("what it waits for is not what it needs afterwards: %v", calls)
			}
		}
	}
	// Two locks, each with one that holds it: two addresses, and both keepers point to one account.
	locks, kept := map[string]int{}, map[string]bool{}
	for _, calls := range stacks["main.lock"] {
		locks[calls[0].words[0]]++
	}
	for _, calls := range stacks["main.keep"] {
		for _, c := range calls {
			if c.function == "main.keep" && len(c.words) > 0 {
				kept[c.words[0]] = true
			}
		}
	}
	if len(locks) != 2 || len(kept) != 2 {
		t.Errorf("locks %v, kept %v", locks, kept)
	}
	for _, n := range locks {
		if n != 3 {
			t.Errorf("locks %v", locks)
		}
	}
}

// call is a line of a dump.
type call struct {
	function string
	words    []string
}

// lies reports whether what a call waits for is what a pointer points at, or a field of it.
func (c call) lies(pointer string) bool {
	on, err1 := strconv.ParseUint(c.words[0], 0, 64)
	at, err2 := strconv.ParseUint(pointer, 0, 64)
	return err1 == nil && err2 == nil && len(c.words) == 1 && on >= at && on-at < 64
}

var callLine = regexp.MustCompile(`(?m)^([^\t\n]+)\(([^()]*)\)$`)

// stacksOf reads a dump: goroutines by each function of main on their stack.
func stacksOf(text string) map[string][][]call {
	out := map[string][][]call{}
	for _, g := range strings.Split(text, "\n\n") {
		var calls []call
		for _, m := range callLine.FindAllStringSubmatch(g, -1) {
			calls = append(calls, call{m[1], strings.Split(m[2], ", ")})
		}
		for _, c := range calls {
			if strings.HasPrefix(c.function, "main.") {
				out[c.function] = append(out[c.function], calls)
			}
		}
	}
	return out
}
