package unpark

import "strings"

// OfferKind is what sort of thing a module offers.
type OfferKind string

// The kinds of offers.
const (
	OfferSwitch   OfferKind = "switch"   // a setting on which it depends whether what costs is called at all
	OfferAnew     OfferKind = "anew"     // what a function of the user's own makes for each request, and that is there to be kept: By makes it, or At itself, in the line Calls; On says that by a literal
	OfferEach     OfferKind = "each"     // a loop of the user's own over Name, in the line Calls, in which At waits in each turn
	OfferPart     OfferKind = "part"     // a call By of a user's function At that goes through all, of which the line Calls uses a part, as Type says: Name is another one
	OfferRebuilt  OfferKind = "rebuilt"  // a Type (On: a pointer to one) that At makes anew, and fills in a loop over all of Name by a call of By in the line Calls
	OfferWorkers  OfferKind = "workers"  // a setting of how many goroutines of At there are, each of which serves one request after another; or that are at the other end of the channel where By waits
	OfferSetting  OfferKind = "setting"  // a field, variable or option that the code at the cost reads
	OfferCall     OfferKind = "call"     // a call that stands beside the one that the service makes
	OfferNote     OfferKind = "note"     // a sentence of the documentation about what it costs, or is meant for
	OfferKeep     OfferKind = "keep"     // what a function makes for each request, and that may be kept
	OfferInstead  OfferKind = "instead"  // a call of the same shape that does not come to what costs
	OfferBound    OfferKind = "bound"    // a function whose cost grows with the square of what it is given: Type says its parameters
	OfferDelay    OfferKind = "delay"    // a parameter of a call that says how long it waits each time: Type is its name
	OfferReuse    OfferKind = "reuse"    // a parameter of a call for what an earlier call of it gave
	OfferFields   OfferKind = "fields"   // a parameter of a call that it fills by what its type has: Type is its name
	OfferReady    OfferKind = "ready"    // a call that takes what was made ready before, a Type, by By: what costs is done there
	OfferWriter   OfferKind = "writer"   // a function by which a package takes a writer, where By opens and closes a file each time
	OfferCache    OfferKind = "cache"    // what makes a cache of the package, a Type, for what By gets anew each time
	OfferEnd      OfferKind = "end"      // what a client does, Calls, only when the body of an answer has been read to its end: Type is the reader of that
	OfferRemove   OfferKind = "remove"   // what takes out of a Type what By puts in, where Calls goes through all that is there, or ends the goroutine that Calls runs in
	OfferAhead    OfferKind = "ahead"    // a call that does before requests come what By does for the first of them
	OfferTogether OfferKind = "together" // what By makes for each call alone, a Type, and finishes by Calls: several may share one
	OfferTrial    OfferKind = "trial"    // a function that gives all of a Type to Calls, one after the other, until one fits
	OfferSame     OfferKind = "same"     // a call whose parameter Type was another one each time, so that By finds nothing kept for it
	OfferCallback OfferKind = "callback" // a call by which a module is told that a function of the user's, Calls, gives the same for the same
	OfferRegister OfferKind = "register" // a call that adds to the list Type of what it is called on, and is there to be made once
	OfferLasting  OfferKind = "lasting"  // a call that brings what it is called on, a Type, into a state that stays: Calls is the field
	OfferRewrite  OfferKind = "rewrite"  // a call that takes and gives a whole Type for each change of it
	OfferPage     OfferKind = "page"     // a field that says how many things come by one call of By
	OfferSingle   OfferKind = "single"   // a call that gets one of the things of which By gets all
	OfferOption   OfferKind = "option"   // an option of the call By, a Type, that by its documentation makes it take less long
	OfferCostly   OfferKind = "costly"   // a switch of which the documentation says that it costs where it is on
)

// The types of a switch that is no bool.
const (
	TypeUnset     = "unset"     // what costs is done because nothing was set
	TypeWithout   = "without"   // a cache: where there is none, nothing is kept
	TypeParameter = "parameter" // of a call that the service makes, in brackets behind its name
	TypeTurned    = "turned"    // a call that turns it, without a value
	TypeEnds      = "ends"      // of what removes: a method by which a goroutine ends
	TypeDecides   = "decides"   // a value of the user's that is asked whether the call is made, or of which one is enough
	TypeChosen    = "chosen"    // by it another function is called in the place of what costs
	TypeLeft      = "left"      // of a part: a loop over what a call gave that is left before its end
	TypeFiltered  = "filtered"  // of a part: a function that is called for each, and passes over some
)

// ReadMe is the name of a note that is on the first page of a module.
const ReadMe = "README"

// Offer is something that the source of a module has for its users at the place of a cost, in the version that
// the service is built with: read from the module's own code while the run was made, so that a verdict that
// is reached anew elsewhere has it, too.
type Offer struct {
	Kind    OfferKind `json:"kind"`
	Class   Class     `json:"class"`        // of the findings that it belongs to
	At      string    `json:"at"`           // the function on a finding's stack that it is for, as pprof prints it
	By      string    `json:"by,omitempty"` // the function that reads it, within its package; empty where that is elsewhere
	Package string    `json:"package"`      // import path
	Version string    `json:"version"`      // of its module
	Name    string    `json:"name"`         // "Config.MaxStreamWindowSize", "WithWait", "Client.GetMulti"
	Type    string    `json:"type,omitempty"`
	Doc     string    `json:"doc,omitempty"` // a sentence of its documentation, most often the first
	// Calls is what By calls, or not, by a switch, within its package; On that it does where that is on. Of what is
	// kept, On says that all goroutines may share one; else Calls is the method that readies it for the next use. Of
	// what is used again, Calls is the parameter. Of another call it is what that does not come to. A setting that is On is
	// the capacity of the channel at which requests wait.
	Calls string `json:"calls,omitempty"`
	On    bool   `json:"on,omitempty"`
}

// Documented is where its documentation is.
func (o Offer) Documented() string {
	name := o.Name
	if o.Kind == OfferNote && name == ReadMe {
		name = "section-readme"
	}
	if o.Kind == OfferSetting || o.Kind == OfferSwitch || o.Kind == OfferWorkers { // a field has no place of its own there
		name, _, _ = strings.Cut(name, ".")
	}
	if o.Kind == OfferRebuilt {
		name = o.By
	}
	if o.Type == TypeParameter || strings.HasSuffix(name, ")") {
		name, _, _ = strings.Cut(o.Name, "(")
	}
	at := o.Package
	if o.Version != "" { // Go's own has that of the toolchain
		at += "@" + o.Version
	}
	return "https://pkg.go.dev/" + at + "#" + name
}
