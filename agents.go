package unpark

// Agent is one machine of several that drove a load or captured processes together.
type Agent struct {
	Name      string `json:"name"`
	Machine   int    `json:"machine"` // as in Process
	Version   string `json:"version"`
	CPUs      int    `json:"cpus"`
	Load      bool   `json:"load"`      // it drove a share of the load
	Processes int    `json:"processes"` // that it captured
	RPS       Number `json:"rps"`       // answered within the window
	// Offset is its clock less the coordinator's; Spread is half of the width in which that
	// was seen, and Trip the least round trip.
	Offset Number `json:"clock_offset_s"`
	Spread Number `json:"clock_spread_s"`
	Trip   Number `json:"round_trip_s"`
	Start  Number `json:"start_error_s"`  // from the instant that was named to its first
	Void   string `json:"void,omitempty"` // why its share of the load is not in the figures
}
