package offers

import (
	"testing"

	"github.com/unpark-go/unpark"
)

// TestPromoted: a call that a type has by what it embeds, with a name that says less, takes the place of one that comes to what is waited for; not a call of a
// type that it does not embed, nor one that comes there as well.
func TestPromoted(t *testing.T) {
	queue := func(embeds, add string) string {
		return "type Queue interface {\n\tAdd(item int)\n\tGet() int\n}\n\ntype Delaying interface {\n\tQueue\n\tAddAfter(item, d int)\n}\n\ntype plain struct{}\n\nfunc (q *plain) Add(item int) {" + add + "}\n\nfunc (q *plain) Get() int { return 0 }\n\n" +
			"type Limited struct { " + embeds + " }\n\nfunc (q *Limited) AddLimited(item int) { q.after(item) }\n\nfunc (q *Limited) after(item int) {}\n"
	}
	for _, c := range []principle{
		{what: "by an interface that it embeds", text: queue("Delaying", ""), want: "plain.Add"},
		{what: "it comes there too", text: queue("Delaying", "q.after(item)")},
		{what: "not embedded", text: queue("d Delaying", "")},
		{what: "it has one of its own", text: queue("Delaying", "") + "\nfunc (q *Limited) Add(item int) { q.after(item) }"},
	} {
		c.kind, c.class, c.functions = unpark.OfferInstead, unpark.ClassChannel, ".(*Limited).after .(*Limited).AddLimited main.main"
		c.run(t)
	}
}
