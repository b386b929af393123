package gate

// Desk answers in one of two ways.
type Desk struct{ config DeskConfig }

// DeskConfig is how it does.
type DeskConfig struct {
	// DisableLists leaves out lists.
	DisableLists bool
	// SkipTotals leaves the sums out of lists.
	SkipTotals bool
	// SkipStamp leaves out the stamp on each paper.
	SkipStamp bool
}

// NewDesk makes one.
func NewDesk(c DeskConfig) *Desk { return &Desk{config: c} }

// Answer gives out a list, or a paper.
func (d *Desk) Answer(list, long bool) {
	if !d.config.DisableLists && list && long {
		d.list()
		return
	}
	d.paper()
}

func (d *Desk) list() {
	if !d.config.SkipTotals {
		d.total()
	}
}

func (d *Desk) total() {}

func (d *Desk) paper() {
	if !d.config.SkipStamp {
		d.stamp()
	}
}

func (d *Desk) stamp() {}
