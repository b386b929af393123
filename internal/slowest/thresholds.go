package slowest

import "time"

// How much is told of a trace.
const (
	// Most is how many requests are told.
	// Unit: requests. Source: convention, more than a reader looks at. Test: TestRead.
	Most = 50
	// states is how many states of one are kept in their order.
	// Unit: states. Source: convention; a bar of 1000 pixels shows no more. Test: TestRead.
	states = 400
	// drawn is how many requests of a trace are drawn for a picture of all.
	// Unit: requests. Source: a mean over 2,000 is known to 2 %; some MB for a page. Test: TestDraw.
	drawn = 2000
	// drawnStates is how many states of each of these are told.
	// Unit: states. Source: convention; most requests have fewer. Test: TestDraw.
	drawnStates = 60
	// Moment is the length of the intervals by which [Sample.Between] tells what all goroutines did.
	// Unit: time. Source: convention, a row of the page's picture. Test: TestDraw.
	Moment = 20 * time.Millisecond
	// holders is how many of those that kept one waiting are told.
	// Unit: places. Source: convention. Test: TestRead.
	holders = 3
)
