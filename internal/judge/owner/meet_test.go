package owner

import (
	"strings"
	"testing"
)

// TestMeetBelowOneCall: several functions at which the ways of one call of a library meet are how that call does its work, and it is
// told where it forks; one of them alone is told, and so are those of two calls.
func TestMeetBelowOneCall(t *testing.T) {
	const one = "main.get main.check lib.Verify lib.add field.mul 12\nmain.get main.check lib.Verify lib.double field.mul 12\nmain.get main.check lib.Verify lib.table field.mul 12\n"
	const another = "main.get main.check lib.Verify lib.add field.square 11\nmain.get main.check lib.Verify lib.double field.square 11\nmain.get main.check lib.Verify lib.table field.square 11\n"
	const nested = "main.get main.check lib.Verify lib.add field.mul field.carry 31\n"
	for name, c := range map[string]struct{ stacks, want string }{
		"two of one call":           {one + another, "lib.Verify"},
		"one of it":                 {one + "main.get main.check lib.Verify lib.hash 30\nmain.get main.check lib.Verify lib.encode 20", "field.mul lib.hash"},
		"one inside of the other":   {one + nested + "main.get main.check lib.Verify lib.hash 20", "field.mul"},
		"of two calls of a library": {one + strings.ReplaceAll(another, "lib.Verify", "lib.Sign"), "field.mul field.square"},
	} {
		var got []string
		for _, o := range Find(grown(c.stacks), 0.3, true) {
			got = append(got, o.Culprit.Function)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
}
