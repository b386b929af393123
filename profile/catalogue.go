package profile

import "github.com/unpark-go/unpark"

// Catalogue knows what frames mean.
type Catalogue struct{ module string }

// Label is what a stack means.
type Label struct {
	Side  unpark.Side
	Class unpark.WaitClass
	Idle  bool // a known parking place: the goroutine waits for work
	App   int  // index of the innermost application frame, −1 when there is none
	Entry int  // index of the outermost application frame, −1 when there is none
}

// NewCatalogue returns the catalogue for a target whose main module has this
// path; "" when it is unknown.
func NewCatalogue(module string) *Catalogue { return &Catalogue{module: module} }

// Label says what a stack means.
func (c *Catalogue) Label(kind unpark.Kind, stack []unpark.Site) Label {
	return Label{Side: unpark.RequestPath, Class: unpark.WaitUnknown, App: -1, Entry: -1}
}

// IsApp reports whether a function belongs to the application.
func (c *Catalogue) IsApp(function string) bool { return false }
