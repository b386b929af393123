package unpark

// Service is another service of a run: the target asks it, and it was captured in the same window.
type Service struct {
	Name   string `json:"name"`
	Target Target `json:"target"`
	Window Window `json:"window"` // its load is that of the run: what is asked of the target
	// Limit is what binds in it, as the requests of the run feel it.
	Limit Limit `json:"limit"`
	Join  Join  `json:"join"`
}

// Join says how the requests of a run are told from those of a service that the target asks,
// and what they come to.
type Join struct {
	How JoinedBy `json:"how"`
	// Unsure is why the two cannot be joined; empty where they are. The service's findings then
	// stand for themselves, without a forecast of the run's figures.
	Unsure string   `json:"unsure,omitempty"`
	Calls  Quantity `json:"calls"`      // requests of the service by one of the run
	Wall   Quantity `json:"response_s"` // of one of its requests, inside its processes
	Wait   Quantity `json:"wait_s"`     // that one request of the run waits for answers from elsewhere
	Share  Number   `json:"share"`      // of the time of the run's requests, that the service has them
	Tail   Number   `json:"tail_share"` // of that of the slowest
	// Causes are what the service did in the time of the slowest, largest first.
	Causes []Cause `json:"causes,omitempty"`
}

// JoinedBy is a way to join the requests of two services.
type JoinedBy string

// The ways. By connections is inferred: all connections that the service has accepted are the
// target's, so all it does it does for it.
const (
	ByTraceparent JoinedBy = "traceparent"
	ByConnections JoinedBy = "connections"
)

// Cause is a state of a service's requests at one place.
type Cause struct {
	Class WaitClass `json:"class"`
	Site  Site      `json:"site"`  // zero for a state without a place
	Share Number    `json:"share"` // of the time of the run's slowest requests
}
