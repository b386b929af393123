package offers

import (
	"testing"

	"github.com/unpark-go/unpark"
)

// TestLastingState: a call that brings its receiver into a state which stays is to be made once for it; not one that is given something, that is named
// after nothing that it sets, or after which it is over.
func TestLastingState(t *testing.T) {
	method := func(signature, body string) string {
		return "type Channel struct{ confirming, closed, used bool }\n\nfunc (ch *Channel) " + signature + " {\n ch.call()\n" + body + "\nreturn nil\n}\n\nfunc (ch *Channel) call() {}"
	}
	for _, c := range []principle{
		{what: "set", text: method("Confirm(noWait bool) error", "ch.confirming = true"), functions: ".(*Channel).call .(*Channel).Confirm main.main", want: "Channel.Confirm"},
		{what: "stored", text: method("Confirm() error", "ch.confirming.Store(true)"), functions: ".(*Channel).call .(*Channel).Confirm main.main", want: "Channel.Confirm"},
		{what: "something else is set", text: method("Confirm(noWait bool) error", "ch.used = true"), functions: ".(*Channel).call .(*Channel).Confirm main.main"},
		{what: "of another", text: method("Confirm(noWait bool) error", "other.confirming = true"), functions: ".(*Channel).call .(*Channel).Confirm main.main"},
		{what: "given what is confirmed", text: method("Confirm(tag int) error", "ch.confirming = true"), functions: ".(*Channel).call .(*Channel).Confirm main.main"},
		{what: "over", text: method("Close() error", "ch.closed = true"), functions: ".(*Channel).call .(*Channel).Close main.main"},
	} {
		c.kind, c.class = unpark.OfferLasting, unpark.ClassDownstream
		c.run(t)
	}
}
