package fleet

// Team is the agents of a run, and what they are for.
type Team struct {
	Fleet   *Fleet
	Agents  []Agent
	Capture map[string][]string // by agent: endpoints there, and pid:N
	Hosts   []string            // that the user named, and agents may load
}

// Loading names the agents that drive the load: those that do not capture, where there are
// any, because a generator beside the target takes what it measures. None: all do.
func (t *Team) Loading() []string {
	var out []string
	for _, one := range t.Agents {
		if len(t.Capture[one.Name]) == 0 {
			out = append(out, one.Name)
		}
	}
	return out
}
