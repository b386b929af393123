package diagnose

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestOrder: what is known comes before what is hoped for, which is a later version and settings whose names fit.
func TestOrder(t *testing.T) {
	const at = "example.org/gate.(*Gate).Enter"
	known := map[string]unpark.Offer{
		"note":    {Kind: unpark.OfferNote, Name: "Gate.Enter", Doc: "Enter is slow"},
		"keep":    {Kind: unpark.OfferKeep, Name: "NewGate", Type: "Gate", On: true},
		"fields":  {Kind: unpark.OfferFields, Name: "Gate.Enter", Type: "result"},
		"setting": {Kind: unpark.OfferSetting, Name: "Config.MaxPlaces", By: "look"},
		"direct":  {Kind: unpark.OfferSetting, Name: "Config.MaxPlaces", By: "Gate.Enter"},
	}
	words := map[string]string{"Read what": "note", "Keep one": "keep", "Give gate": "fields", "See whether": "setting"}
	for _, c := range []struct {
		class                  unpark.Class
		remedies, offers, want string // those in capitals are of experts
	}{
		{unpark.ClassCPU, "less upgrade other", "note setting", "note less upgrade setting other"},
		{unpark.ClassCPU, "A B less upgrade", "setting", "A B less upgrade setting"},
		{unpark.ClassCPU, "A B less upgrade", "direct", "A B setting less upgrade"},
		{unpark.ClassCPU, "A less upgrade", "keep setting", "A keep less upgrade setting"},
		{unpark.ClassCPU, "less upgrade other", "fields setting", "fields less upgrade setting other"},
		{unpark.ClassCPU, "less upgrade other", "setting", "less upgrade setting other"},
		{unpark.ClassCPU, "less upgrade other", "direct", "setting less upgrade other"},
		{unpark.ClassDownstream, "A B less", "setting", "A B setting less"},
		{unpark.ClassDownstream, "less batch", "keep", "keep less batch"},
		{unpark.ClassLock, "shape A B upgrade", "note setting", "shape A note setting B upgrade"},
		{unpark.ClassLock, "A B upgrade", "setting", "A B setting upgrade"},
	} {
		f := unpark.Finding{Class: c.class, Culprit: &unpark.Site{Function: at}, Path: []unpark.Site{{Function: at}}}
		for title := range strings.FieldsSeq(c.remedies) {
			r := unpark.Remedy{Title: title}
			if title == strings.ToUpper(title) {
				r.Sources = []string{"https://go.dev"}
			}
			f.Remedies = append(f.Remedies, r)
		}
		var offers []unpark.Offer
		for name := range strings.FieldsSeq(c.offers) {
			o := known[name]
			o.Class, o.At, o.Package = c.class, at, "example.org/gate"
			offers = append(offers, o)
		}
		var got []string
		for _, r := range Offered(f, offers) {
			title := r.Title
			for begins, word := range words {
				if strings.HasPrefix(title, begins) {
					title = word
				}
			}
			got = append(got, title)
		}
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("%s, %s with %s: %s, want %s", c.class, c.remedies, c.offers, g, c.want)
		}
	}
}
