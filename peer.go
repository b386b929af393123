package unpark

// Peer is an address to which the target has opened TCP connections.
type Peer struct {
	Address     string `json:"address"`
	Connections int    `json:"connections"`
	// PID and Name are of the process at the other end, 0 and empty where that is on
	// another machine, or another user's.
	PID  int    `json:"pid,omitempty"`
	Name string `json:"name,omitempty"` // as the kernel has it, at most 15 bytes
	// Self: the target itself is at the other end.
	Self bool `json:"self,omitempty"`
}

// AsksItself reports whether all connections that the target has opened lead to itself.
func (w Window) AsksItself() bool {
	for _, p := range w.Peers {
		if !p.Self {
			return false
		}
	}
	return len(w.Peers) > 0
}
