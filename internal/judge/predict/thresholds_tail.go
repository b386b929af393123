package predict

// How responses are spread after a fix.
const (
	// tailSlack widens the exponential bound.
	// Unit: ratio. Source: services on small machines, whose p99 was up to 5.2 times the residual mean after a lock was fixed.
	tailSlack = 1.15
	// unlike is how far a percentile of the same distribution may be from where the mean
	// moves it.
	// Unit: ratio. Source: convention.
	unlike = 1.15
	// tailFollows is how far the p99 of a closed loop follows the mean: the exponent of
	// throughput's gain.
	// Unit: 1. Source: 26 faults of labs/wild and the labs, before and after. Test: TestTailFollowsMean.
	tailFollows = 0.8
	// slice is how long a process waits for another one on its processor, in the slowest
	// hundredth of requests.
	// Unit: s. Source: base_slice_ns of Linux (kernel/sched/fair.c), 0.7 ms × (1 + log2 of the processors, at most 8), and 39 faults of labs/wild after their fix. Test: TestSlices.
	slice = 2e-3
	// tailLess is how many times shorter than that a p99 may be.
	// Unit: ratio. Source: the same, 90 % of them. Test: TestTailFollowsMean.
	tailLess = 1.65
	// tailMore is how many times longer.
	// Unit: ratio. Source: the same, 90 % of them. Test: TestTailFollowsMean.
	tailMore = 1.9
	// widestTail is how many times its lower end the upper end of a p99 may be before it is
	// left out.
	// Unit: ratio. Source: convention.
	widestTail = 4
	// widestGain is the same of throughput, of which the lower end is then all that is said.
	// Unit: ratio. Source: convention.
	widestGain = 3
	// widestAlone is the same of what would be if a function took nothing, whose middle is said beside the least.
	// Unit: ratio. Source: convention.
	widestAlone = 10
	// largeGain is the middle of a forecast from which on it has no upper end where a fix may take more than what
	// was measured: of a smaller one that more is small as well.
	// Unit: ratio. Source: convention.
	largeGain = 1.25
)
