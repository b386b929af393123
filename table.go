package unpark

// Table is what the profiles of one kind hold, as they are: where there is no load to
// hold it against, costs are all that can be told. It judges nothing.
type Table struct {
	Kind  Kind   `json:"kind"`
	Title string `json:"title"`
	// Unit is that of all values: cores, waiters or B/s; seconds or bytes in all where
	// the interval is not known; goroutines or bytes for what a profile is an instant of.
	Unit    string     `json:"unit"`
	Seconds Number     `json:"seconds"` // that the profiles cover; unknown since the process started
	Total   Number     `json:"total"`   // without the observer's part
	Events  int64      `json:"events"`  // samples, contentions, objects or goroutines behind it
	Rows    []TableRow `json:"rows"`    // the largest first
	Note    string     `json:"note,omitempty"`
	// Flat: a CPU row is of the function's own instructions alone; else it is one of the
	// application, with the library and runtime code that it calls.
	Flat bool `json:"flat,omitempty"`
}

// TableRow is one place of a table.
type TableRow struct {
	Site  Site    `json:"site"`
	Value float64 `json:"value"` // in the table's unit; of CPU see Flat
	// Cum counts every sample that the function is on; only of CPU.
	Cum    Number    `json:"cumulative"`
	Share  float64   `json:"share"` // of the table's total
	Class  WaitClass `json:"class,omitempty"`
	Holder *Site     `json:"holder,omitempty"` // that lets the waiters go
	Events Number    `json:"events"`           // contentions or objects; unknown where they are not counted
}
