package predict

// What goes with calls that are not made any more.
const (
	// besideSpared is by how much less the rest of a request takes of the processors, as a part of the share that goes: stacks that grow for
	// the calls, caches that they fill, what hands them their arguments.
	// Unit: ratio. Source: nine faults of labs/wild (17th to 20th edition) that make something for each request, two thirds of their CPU and more: the fix
	// brought 0.96 to 1.7 times what the profile has, 1.25 times in the mean; and the templates of labs/controls, a fifth: 1.0 times. Test: TestCallsSpared.
	besideSpared = 0.12
	// mostBeside is the most of that.
	// Unit: ratio. Source: the same. Test: TestCallsSpared.
	mostBeside = 0.35
	// mostSpared is the part of a finding's cost that runs through the calls which its remedy spares from which that is its forecast.
	// Unit: ratio. Source: convention. Test: TestCallsSpared.
	mostSpared = 0.75
)
