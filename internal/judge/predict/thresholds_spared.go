package predict

// What goes with calls that are not made any more.
const (
	// besideSpared is what is left of the rest of a request's CPU: stacks that grow for the calls, caches that they fill, what hands
	// them their arguments go as well.
	// Unit: ratio. Source: nine faults of labs/wild (17th to 20th edition) that make something for each request: the fix brought
	// 0.96 to 1.7 times what the profile has, 1.25 times in the mean. Test: TestCallsSpared.
	besideSpared = 0.9
	// leastBeside is the least of that.
	// Unit: ratio. Source: the same. Test: TestCallsSpared.
	leastBeside = 0.7
	// mostSpared is the part of a finding's cost that runs through the calls which its remedy spares from which that is its forecast.
	// Unit: ratio. Source: convention. Test: TestCallsSpared.
	mostSpared = 0.75
)
