package browse

// How much a page tells of a request.
const (
	// mostStates is how many places of a request are told; the bar has all.
	// Unit: places. Source: convention. Test: TestSlowest.
	mostStates = 8
)
