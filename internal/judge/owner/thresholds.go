package owner

// How far a cost is followed inwards.
const (
	// descendShare is the share of a function's cost that one function below it must have
	// for the cost to be that one's.
	// Unit: ratio. Source: convention: clearly more than half. Test: TestOwners.
	descendShare = 0.6
	// keepShare is the share of what the way began with that the function at its end must
	// still have: of several forks, each of which leaves a part behind, the sum is one.
	// Unit: ratio. Source: convention: half. Test: TestOwners.
	keepShare = 0.5
	// mostOfAll is the share of all requests from which a function is the whole of them:
	// that says nothing of where it goes; and the share of what several functions of one
	// library cost from which it is what they do further in.
	// Unit: ratio. Source: convention. Test: TestOwners.
	mostOfAll = 0.9
)
