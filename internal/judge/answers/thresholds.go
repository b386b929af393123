package answers

const (
	// mostQuoted is how much of a value an error quotes.
	// Unit: characters. Source: convention.
	mostQuoted = 120
	// leastPairs is how many pairs of answers in a row tell that a value always changes: of a die, two pairs of equal throws
	// come once in 36.
	// Unit: pairs. Source: convention. Test: TestStale.
	leastPairs = 2
	// mostPlaces is how many places that vary are named.
	// Unit: places. Source: convention.
	mostPlaces = 20
)
