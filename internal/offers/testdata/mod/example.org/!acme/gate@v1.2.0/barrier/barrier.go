// Package barrier is a gate that one opens by hand.
package barrier

// BarrierConfig is how a barrier works.
type BarrierConfig struct {
	// Photograph takes a picture of everybody.
	Photograph bool
	// DryRun lets nobody in.
	DryRun bool
	// SkipWeighing leaves the scales out.
	SkipWeighing bool
	// SkipToll lets those through unpaid who come in a car.
	SkipToll bool
	// Logged says what happens.
	Logging bool
	// Lanes holds what is made of it.
	Lanes LaneConfig
}

// LaneConfig is a part of it.
type LaneConfig struct{ MaxOpenLanes int }

// TollConfig is how one pays.
type TollConfig struct {
	// SkipReceipt prints none.
	SkipReceipt bool
}

// PassOptions are of one who passes.
type PassOptions struct{ MaxOpenDoors int }

// Barrier is opened for each by hand.
type Barrier struct {
	config   BarrierConfig
	toll     *TollConfig
	interval int
}

// NewBarrier makes one.
func NewBarrier(c BarrierConfig) *Barrier { return &Barrier{config: c} }

// Pass lets one through.
func (b *Barrier) Pass(o PassOptions) {
	picture := b.config.Photograph
	if b.config.DryRun || o.MaxOpenDoors < 0 {
		return
	}
	if picture && !b.wanted() {
		b.photograph()
	}
	if !b.config.SkipWeighing {
		b.weigh()
	}
	switch {
	case b.config.Logging:
		b.write()
	}
	if o.MaxOpenDoors > 1 && b.config.SkipToll {
		return
	}
	b.collect()
	if b.toll != nil && b.toll.SkipReceipt {
		return
	}
	b.print()
}

// Toll says how one pays.
func (b *Barrier) Toll(c TollConfig) { b.toll = &c }

func (b *Barrier) collect() {}

func (b *Barrier) print() {}

func (b *Barrier) wanted() bool { return b.config.Logging }

func (b *Barrier) photograph() {}

func (b *Barrier) weigh() {}

func (b *Barrier) write() {}

// SetPace says how long it stays open.
func (b *Barrier) SetPace(interval int) { b.arm(interval) }

func (b *Barrier) arm(interval int) { b.interval = interval }

func (b *Barrier) wait() int { return b.interval }
