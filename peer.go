package unpark

import "slices"

// Peer is an address to which the target has opened connections.
type Peer struct {
	Address     string `json:"address"` // host:port, or unix:// and the path or abstract name of a socket
	Connections int    `json:"connections"`
	// PID and Name are of the process at the other end, 0 and empty where that is on
	// another machine, or another user's.
	PID  int    `json:"pid,omitempty"`
	Name string `json:"name,omitempty"` // as the kernel has it, at most 15 bytes
	// Self: the target itself is at the other end.
	Self bool `json:"self,omitempty"`
}

// AsksItself reports whether all connections that the target has opened lead to processes of
// its own that have profiles: what is at the other end waits and computes in the same profiles.
func (w Window) AsksItself() bool {
	for _, p := range w.Peers {
		if !p.Self || !w.Profiled(p.PID) {
			return false
		}
	}
	return len(w.Peers) > 0
}

// Asked returns the processes of the target to which it has opened connections and that have no
// profile: services beside the one that is looked at, whose CPU no profile is of.
func (w Window) Asked() []Process {
	return slices.DeleteFunc(slices.Clone(w.Processes), func(p Process) bool {
		return w.Profiled(p.PID) || !slices.ContainsFunc(w.Peers, func(o Peer) bool { return o.PID == p.PID })
	})
}

// Profiled reports whether a process has profiles, or may have: an endpoint does not always say
// whose it is.
func (w Window) Profiled(pid int) bool {
	return len(w.Profiles) == 0 || slices.ContainsFunc(w.Profiles, func(f ProfileFile) bool { return f.PID == pid || f.PID <= 0 })
}
