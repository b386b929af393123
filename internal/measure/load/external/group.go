package external

// stage is how hard processes are asked to end.
type stage int

const (
	interrupt stage = iota
	terminate
	kill
)
