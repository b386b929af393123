package diagnose

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

func TestOffered(t *testing.T) {
	setting := unpark.Offer{
		Kind: unpark.OfferSetting, Class: unpark.ClassPool, At: "example.org/gate/v2.(*Gate).Enter", By: "Gate.look",
		Package: "example.org/gate/v2", Version: "v2.1.0", Name: "Config.MaxPlaces", Type: "int", Doc: "MaxPlaces is how many",
	}
	call := unpark.Offer{
		Kind: unpark.OfferCall, Class: unpark.ClassPool, At: setting.At, Package: setting.Package, Version: setting.Version, Name: "Gate.EnterBatch",
	}
	off := setting
	off.Kind, off.Name, off.Type, off.Calls, off.On = unpark.OfferSwitch, "Config.Photograph", "bool", "Gate.photograph", true
	note := unpark.Offer{Kind: unpark.OfferNote, Class: unpark.ClassPool, At: setting.At, Package: setting.Package, Name: "Gate.Enter", Doc: "Enter waits"}
	keep := unpark.Offer{Kind: unpark.OfferKeep, Class: unpark.ClassPool, At: setting.At, Package: setting.Package, Name: "NewGate", Type: "Gate", Doc: "Gate is reused", On: true}
	worker := keep
	worker.On, worker.Calls = false, "Reset"
	back := unpark.Offer{Kind: unpark.OfferReuse, Class: unpark.ClassPool, At: setting.At, Package: setting.Package, Name: "Parse", Type: "*Gate", Calls: "reuse"}
	other := unpark.Offer{Kind: unpark.OfferInstead, Class: unpark.ClassPool, At: setting.At, Package: setting.Package, Name: "Gate.StrictEnter", Type: "func", Calls: "match"}
	page := unpark.Offer{Kind: unpark.OfferPage, Class: unpark.ClassPool, At: setting.At, Package: setting.Package, Name: "ListOptions.PerPage", By: "Gate.List", Type: "int"}
	square := unpark.Offer{Kind: unpark.OfferBound, Class: unpark.ClassPool, At: setting.At, Package: setting.Package, Name: "find", By: "Gate.Enter", Type: "s s"}
	delay := unpark.Offer{Kind: unpark.OfferDelay, Class: unpark.ClassPool, At: setting.At, Package: setting.Package, Name: "Gate.TryEnter", By: "try", Type: "retry"}
	narrow := back
	narrow.Kind, narrow.Type = unpark.OfferFields, "result"
	product := square
	product.Type = "s of"
	made := keep
	made.By, made.Name = "Gate.Enter", "Compile"
	end := delay
	end.Kind, end.Name, end.Type, end.Calls = unpark.OfferEnd, "Transport.RoundTrip", "reader", "atEnd"
	kept := end
	kept.Kind, kept.Name, kept.Type, kept.Doc = unpark.OfferCache, "NewGateCache", "GateCache", "GateCache keeps gates"
	out := end
	out.Kind, out.Name, out.Type, out.By, out.Calls = unpark.OfferRemove, "Gate.Leave", "guests", "Gate.Enter", "Gate.count"
	ended := out
	ended.Name, ended.Type, ended.By, ended.Calls = "Gate.Close", unpark.TypeEnds, "Gate", "Gate.run"
	early := kept
	early.Kind, early.Name, early.By, early.Type = unpark.OfferAhead, "Gate.Open", "Gate.unlock", "Gate"
	several := kept
	several.Kind, several.Name, several.By, several.Type, several.Calls = unpark.OfferTogether, "Gate.Group", "Gate.Enter", "Group", "Close"
	one := kept
	one.Kind, one.Name, one.By = unpark.OfferSingle, "Gate.Guest", "Gate.AllGuests"
	option := kept
	option.Kind, option.Name, option.By, option.Type, option.Doc = unpark.OfferOption, "AskOld", "Gate.Ask", "AskOpt", "AskOld has lower latency"
	costly := kept
	costly.Kind, costly.Name, costly.Doc = unpark.OfferCostly, "Config.Watching", "Watching costs"
	turned := off
	turned.Name, turned.Type, turned.On = "Gate.HurryOn", unpark.TypeTurned, false
	chosen := off
	chosen.Name, chosen.Type, chosen.Calls = "WithLanes", unpark.TypeChosen, "many in place of one"
	direct := setting
	direct.Name, direct.By = "Config.Pace", "Gate.Enter"
	anew, literal := kept, kept
	anew.Kind, anew.Name, anew.Type, anew.By, anew.Calls, anew.Doc = unpark.OfferAnew, "NewGate", "Gate", "", "main.go:12", "Gate keeps guests"
	literal.Kind, literal.Name, literal.Type, literal.By, literal.Calls, literal.On = unpark.OfferAnew, "Gate", "Gate", "town.opens", "main.go:13", true
	each := literal
	each.Kind, each.Name, each.Calls = unpark.OfferEach, "order.items", "main.go:14"
	left := literal
	left.Kind, left.Name, left.Type, left.By, left.Calls = unpark.OfferPart, "Gate.First", unpark.TypeLeft, "Gate.Guests", "main.go:15"
	rebuilt := literal
	rebuilt.Kind, rebuilt.Name, rebuilt.Type, rebuilt.By, rebuilt.Calls = unpark.OfferRebuilt, "guests", "List", "List.Add", "main.go:16"
	filtered := left
	filtered.Name, filtered.Type = "Gate.From", unpark.TypeFiltered
	general := note
	general.Name = ""
	elsewhere, otherClass := setting, setting
	elsewhere.At, otherClass.Class = "example.org/gate/v2.(*Gate).Leave", unpark.ClassCPU
	expert := func(title string) unpark.Remedy {
		return unpark.Remedy{Title: title, Sources: []string{"https://go.dev"}}
	}
	tests := []struct {
		what     string
		remedies []unpark.Remedy
		offers   []unpark.Offer
		want     string // beginnings of the titles
	}{
		{"behind what is general, before an upgrade", []unpark.Remedy{{Title: "wider"}, {Title: "upgrade"}}, []unpark.Offer{setting}, "wider|See whether a larger setting of gate helps: Config.MaxPlaces|upgrade"},
		{"behind what experts say", []unpark.Remedy{expert("a"), expert("b"), {Title: "upgrade"}}, []unpark.Offer{setting}, "a|b|See whether a larger setting of gate helps: Config.MaxPlaces|upgrade"},
		{"a switch is what experts would say", []unpark.Remedy{{Title: "less"}, {Title: "upgrade"}}, []unpark.Offer{setting, off}, "Turn off Config.Photograph of gate: Gate.look calls Gate.photograph only where it is on|See whether a larger setting of gate helps: Config.MaxPlaces|less|upgrade"},
		{"how long a call waits is known to be there, too", []unpark.Remedy{expert("a"), {Title: "wider"}}, []unpark.Offer{setting, delay}, "a|Shorten retry, the parameter of gate.Gate.TryEnter: try waits for so long each time, whatever happens meanwhile|See whether a larger setting of gate helps: Config.MaxPlaces|wider"},
		{"so is what is done at the end of a body", []unpark.Remedy{{Title: "ask less"}}, []unpark.Offer{setting, end}, "Read the body of each answer to its end: only then does gate keep it, and without it the same is asked again|See whether a larger setting of gate helps: Config.MaxPlaces|ask less"},
		{"so is the module's own cache", []unpark.Remedy{{Title: "ask less"}}, []unpark.Offer{kept}, "Keep what gate.(*Gate).Enter gets in the module's own cache, gate.NewGateCache, if it is the same for many requests|ask less"},
		{"behind what they do say", []unpark.Remedy{expert("a"), {Title: "less"}}, []unpark.Offer{off}, "a|Turn off Config.Photograph of gate: Gate.look calls Gate.photograph only where it is on|less"},
		{"what the function says of itself is nearer than a setting", []unpark.Remedy{{Title: "wider"}, {Title: "upgrade"}}, []unpark.Offer{setting, note}, "wider|Read what gate.Gate.Enter says of itself: “Enter waits”|See whether a larger setting of gate helps: Config.MaxPlaces|upgrade"},
		{"what its package says is not", []unpark.Remedy{{Title: "wider"}, {Title: "upgrade"}}, []unpark.Offer{setting, general}, "wider|See whether a larger setting of gate helps: Config.MaxPlaces|upgrade|Read what gate says of itself: “Enter waits”"},
		{"what is used to a part is seen in the user's source", []unpark.Remedy{expert("a")}, []unpark.Offer{left}, "Go through no more than is used: gate.(*Gate).Enter leaves the loop over what gate.Gate.Guests gave when it has enough (main.go:15), and all was made by then: see gate.Gate.First|a"},
		{"so is what is passed over", []unpark.Remedy{expert("a")}, []unpark.Offer{filtered}, "Seek to what is wanted, or keep an index of it: gate.Gate.Guests scans all that there is, and what gate.(*Gate).Enter does with each (main.go:15) passes over some: see gate.Gate.From|a"},
		{"and what is made of all that there is, other advice on the call or not", []unpark.Remedy{{Title: "Call gate.(*List).Add less for guests"}}, []unpark.Offer{rebuilt}, "Keep the *gate.List and add what is new to it: gate.(*Gate).Enter makes it anew from all of guests for each request, in a loop (main.go:16)|Call gate.(*List).Add less for guests"},
		{"what is kept is behind what the function says of itself, and before settings", []unpark.Remedy{{Title: "less"}, {Title: "upgrade"}}, []unpark.Offer{setting, keep, note}, "less|Read what gate.Gate.Enter says of itself: “Enter waits”|Keep one gate.Gate for all requests, and call its methods for each: NewGate makes it anew|See whether a larger setting of gate helps: Config.MaxPlaces|upgrade"},
		{"one for each worker", []unpark.Remedy{{Title: "less"}}, []unpark.Offer{worker}, "less|Keep one gate.Gate per worker in a sync.Pool, and Reset it: NewGate makes it anew"},
		{"what experts keep is not said twice", []unpark.Remedy{expert("call NewGate once")}, []unpark.Offer{keep}, "call NewGate once"},
		{"general advice names the call, too", []unpark.Remedy{{Title: "Call gate.Parse less"}}, []unpark.Offer{back}, "Call gate.Parse less|Hand back to gate.Parse, as reuse, what it gave last, if that is nil or new each time"},
		{"so it does of what is filled", []unpark.Remedy{{Title: "Call gate.Parse less"}}, []unpark.Offer{narrow}, "Call gate.Parse less|Give gate.Parse, as result, a type that has only the fields that are read"},
		{"how many come by one call", []unpark.Remedy{{Title: "ask less"}}, []unpark.Offer{setting, page}, "ask less|Get more per page: set ListOptions.PerPage of gate as large as the other side allows, where Gate.List is called for one page after the other|See whether a larger setting of gate helps: Config.MaxPlaces"},
		{"what was given is handed back", []unpark.Remedy{{Title: "less"}, {Title: "upgrade"}}, []unpark.Offer{setting, back}, "less|Hand back to gate.Parse, as reuse, what it gave last, if that is nil or new each time|See whether a larger setting of gate helps: Config.MaxPlaces|upgrade"},
		{"a call that does without", []unpark.Remedy{{Title: "less"}, {Title: "upgrade"}}, []unpark.Offer{setting, other}, "less|Call Gate.StrictEnter in place of gate.(*Gate).Enter where it does all that you need: it does not come to match|See whether a larger setting of gate helps: Config.MaxPlaces|upgrade"},
		{"what grows with the square", []unpark.Remedy{expert("a"), {Title: "upgrade"}}, []unpark.Offer{square}, "a|Bound the length of what gate.(*Gate).Enter is given: its cost grows with the square of its length|upgrade"},
		{"what grows with both", []unpark.Remedy{{Title: "less"}}, []unpark.Offer{product}, "less|Bound the length of what gate.(*Gate).Enter is given: its cost grows with the product of their lengths"},
		{"what a call makes for itself", []unpark.Remedy{{Title: "less"}}, []unpark.Offer{made}, "less|Call gate.Compile once, keep the Gate that it gives, and call its methods: Gate.Enter makes one for each call"},
		{"what goes through all is told with what takes out", []unpark.Remedy{{Title: "wider"}}, []unpark.Offer{out}, "wider|Call gate.Gate.Leave for what each Gate.Enter puts in, as soon as it is done with: Gate.count goes through all that is there"},
		{"what ends a goroutine", []unpark.Remedy{{Title: "wider"}}, []unpark.Offer{ended}, "wider|Call gate.Gate.Close on each Gate as soon as it is done with: Gate.run runs until then"},
		{"what is done ahead", []unpark.Remedy{{Title: "wider"}}, []unpark.Offer{early}, "wider|Call gate.Gate.Open before requests use the Gate, where it is made or changed: else the first of them has to wait for Gate.unlock"},
		{"several together", []unpark.Remedy{{Title: "wider"}}, []unpark.Offer{several}, "wider|Do several in one gate.Group, with Gate.Group, and Close it once: Gate.Enter makes one for each call"},
		{"one of all", []unpark.Remedy{{Title: "wider"}}, []unpark.Offer{one}, "wider|Ask only for what is read, with Gate.Guest, where that is few of all that Gate.AllGuests gets"},
		{"an option of the call", []unpark.Remedy{expert("a"), {Title: "wider"}}, []unpark.Offer{setting, option}, "a|Give the call of gate.Gate.Ask, if that fits, its option AskOld: “AskOld has lower latency”|See whether a larger setting of gate helps: Config.MaxPlaces|wider"},
		{"what the user's own source makes for each request", []unpark.Remedy{expert("a"), expert("b"), {Title: "wider"}}, []unpark.Offer{off, anew}, "Call gate.NewGate once, at the start, and keep the Gate: gate.(*Gate).Enter (main.go:12) calls it for each request|a|b|Turn off Config.Photograph of gate: Gate.look calls Gate.photograph only where it is on|wider"},
		{"by a literal", []unpark.Remedy{{Title: "wider"}}, []unpark.Offer{literal}, "Make one gate.Gate at the start, once, and keep it: town.opens (main.go:13) makes one for each request|wider"},
		{"in a loop", []unpark.Remedy{{Title: "wider"}}, []unpark.Offer{each, literal}, "Make one gate.Gate at the start, once, and keep it: town.opens (main.go:13) makes one for each request|Ask for all in one call, or for several at a time: gate.(*Gate).Enter asks and waits once for each of order.items, in a loop (main.go:14)|wider"},
		{"in a loop, with a call for many", []unpark.Remedy{{Title: "wider"}}, []unpark.Offer{setting, call, each}, "Ask for all in one call, or for several at a time: gate.(*Gate).Enter asks and waits once for each of order.items, in a loop (main.go:14)|See whether another call of gate does here what gate.(*Gate).Enter does: Gate.EnterBatch|wider|See whether a larger setting of gate helps: Config.MaxPlaces"},
		{"experts say so", []unpark.Remedy{expert("Call gate.NewGate once per process")}, []unpark.Offer{anew}, "Call gate.NewGate once per process"},
		{"a switch that costs", []unpark.Remedy{{Title: "less"}}, []unpark.Offer{costly}, "Leave off Config.Watching of gate, unless it is needed: “Watching costs”|less"},
		{"a call that turns", []unpark.Remedy{expert("a"), {Title: "wider"}}, []unpark.Offer{turned}, "a|Call Gate.HurryOn of gate, if what it says is wanted: Gate.look calls Gate.photograph only without that|wider"},
		{"another function by a setting", []unpark.Remedy{{Title: "wider"}}, []unpark.Offer{chosen}, "Set WithLanes of gate: by it Gate.look takes many in place of one|wider"},
		{"a setting that is read there comes first of them", []unpark.Remedy{{Title: "wider"}, {Title: "upgrade"}}, []unpark.Offer{setting, direct}, "wider|See whether a setting of gate helps: Config.Pace, Config.MaxPlaces|upgrade"},
		{"a call comes fourth", []unpark.Remedy{{Title: "wider"}, {Title: "upgrade"}}, []unpark.Offer{setting, call}, "wider|See whether a larger setting of gate helps: Config.MaxPlaces|upgrade|See whether another call of gate does here what gate.(*Gate).Enter does: Gate.EnterBatch"},
		{"what experts name is not said twice", []unpark.Remedy{expert("raise MaxPlaces")}, []unpark.Offer{setting}, "raise MaxPlaces"},
		{"of another place", []unpark.Remedy{{Title: "wider"}}, []unpark.Offer{elsewhere}, "wider"},
		{"of another class", []unpark.Remedy{{Title: "wider"}}, []unpark.Offer{otherClass}, "wider"},
		{"no advice yet", nil, []unpark.Offer{setting}, "See whether a larger setting of gate helps: Config.MaxPlaces"},
	}
	for _, test := range tests {
		f := unpark.Finding{Class: unpark.ClassPool, Remedies: test.remedies, Culprit: &unpark.Site{Function: "example.org/gate/v2.(*Gate[go.shape.int]).Enter"}, Path: []unpark.Site{{Function: "example.org/gate/v2.(*Gate[go.shape.int]).Enter"}}}
		var titles []string
		for _, r := range Offered(f, test.offers) {
			titles = append(titles, r.Title)
		}
		if got := strings.Join(titles, "|"); got != test.want {
			t.Errorf("%s: %s\nwant %s", test.what, got, test.want)
		}
	}
}

// TestNoteOfTheCall: what the documentation of the call that the user's line makes says of it comes before what is only hoped for, as that of the
// culprit does; that of a call between the two does not.
func TestNoteOfTheCall(t *testing.T) {
	const pkg = "example.org/gate/v2"
	stack := []unpark.Site{{Function: pkg + ".(*Gate).look"}, {Function: pkg + ".(*Gate).open"}, {Function: pkg + ".(*Gate).Enter"}, {Function: "main.serve"}}
	for name, first := range map[string]bool{"Gate.Enter": true, "Gate.look": true, "Gate.open": false} {
		f := unpark.Finding{Class: unpark.ClassCPU, Culprit: &stack[0], Site: stack[3], Path: stack, Remedies: []unpark.Remedy{{Title: "less"}, {Title: "upgrade"}}}
		got := Offered(f, []unpark.Offer{{Kind: unpark.OfferNote, Class: unpark.ClassCPU, At: stack[0].Function, Package: pkg, Name: name, Doc: "it is expensive: try Look first"}})
		if told := strings.HasPrefix(got[0].Title, "Read what gate."+name); told != first {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestTurning: what has to be set, and to what.
func TestTurning(t *testing.T) {
	of := func(name, kind string, on bool) string {
		r := turning(unpark.Offer{Kind: unpark.OfferSwitch, Package: "example.org/gate/v2", Name: name, Type: kind, By: "Gate.look", Calls: "Gate.weigh", On: on})
		return r.Change
	}
	for got, want := range map[string]string{
		of("Opts.Weigh", "bool", true):               "gate.Opts.Weigh = false // read by Gate.look",
		of("Opts.SkipWeighing", "bool", false):       "gate.Opts.SkipWeighing = true // read by Gate.look",
		of("SetWeighing", "func(bool)", true):        "gate.SetWeighing(false) // read by Gate.look",
		of("WithScales", unpark.TypeUnset, false):    "gate.WithScales // set once; read by Gate.look",
		of("Gate.Cache", unpark.TypeWithout, false):  "gate.Gate.Cache // one for all requests",
		of("Find(deep)", unpark.TypeParameter, true): "gate.Find(deep: false) // read by Gate.look",
	} {
		if got != want {
			t.Errorf("change is %q, want %q", got, want)
		}
	}
}

// TestOffering: what is offered is named briefly, with where it is documented, once.
func TestOffering(t *testing.T) {
	of := func(name, by string) unpark.Offer {
		return unpark.Offer{Kind: unpark.OfferSetting, Package: "example.org/gate/v2", Version: "v2.1.0", Name: name, Type: "int", By: by, Doc: "how many"}
	}
	r := offering([]unpark.Offer{of("Config.MaxPlaces", "Gate.look"), of("Config.MaxIdle", "")})
	if want := "gate.Config.MaxPlaces int // read by Gate.look\ngate.Config.MaxIdle int"; r.Change != want {
		t.Errorf("change is %q, want %q", r.Change, want)
	}
	if len(r.Sources) != 1 || r.Sources[0] != "https://pkg.go.dev/example.org/gate/v2@v2.1.0#Config" {
		t.Errorf("sources are %q", r.Sources)
	}
	note := offering([]unpark.Offer{{Kind: unpark.OfferNote, Package: "example.org/gate/v2", Version: "v2.1.0", Doc: "It is slow"}})
	if note.Title != "Read what gate says of itself: “It is slow”" || note.Change != "" {
		t.Errorf("a note is %+v", note)
	}
	page := offering([]unpark.Offer{{Kind: unpark.OfferNote, Package: "example.org/gate/v2", Version: "v2.1.0", Name: unpark.ReadMe, Doc: "Reuse it"}})
	if page.Title != "Read what the first page of gate says: “Reuse it”" {
		t.Errorf("a note of a first page is %+v", page)
	}
}

// TestLastOf: packages are called as programs that import them most often do.
func TestLastOf(t *testing.T) {
	for at, want := range map[string]string{
		"github.com/redis/go-redis/v9": "redis", "github.com/nats-io/nats.go": "nats", "gopkg.in/yaml.v3": "yaml", "net/http": "http", "github.com/google/go-github/v60/github": "github",
		"github.com/icholy/digest": "digest", "example.org/v2": "example",
	} {
		if got := lastOf(at); got != want {
			t.Errorf("%s is called %s, want %s", at, got, want)
		}
	}
}
