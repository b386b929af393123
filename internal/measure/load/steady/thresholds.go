package steady

const (
	// percentile is the one whose interval is asked for.
	// Unit: probability. Source: the flag's name, --p99-within.
	percentile = 0.99
	// blocks is how many blocks a test for a trend looks at: from ten on, the normal
	// approximation of Kendall's statistic is good.
	// Unit: blocks. Source: Kendall, "Rank Correlation Methods", 1948. Test: TestSettle.
	blocks = 10
	// shortest is the length of a block.
	// Unit: s. Source: convention; a tick of the timeline. Test: TestBlockLength.
	shortest = 1.0
	// longest is the length of a block above which a user would no longer wait for ten.
	// Unit: s. Source: convention. Test: TestBlockLength.
	longest = 6.0
	// perBlock is how many answers a block is to have.
	// Unit: answers. Source: five above the p99 of ten blocks. Test: TestBlockLength.
	perBlock = 50.0
	// rounds is how many times the median response a block is to last, so that answers
	// which come in waves, as those of a closed loop do at first, fill several of them.
	// Unit: ratio. Source: convention. Test: TestBlockLength.
	rounds = 5.0
	// mostSettling is how long the load may take until it is steady.
	// Unit: s. Source: convention: a user waits so long for a warm-up. Test: TestSettle.
	mostSettling = 90.0
	// smallDrift is the part of the width asked for that a trend may move a percentile by.
	// Unit: ratio. Source: a quarter of the width leaves the interval as it is. Test: TestSettle.
	smallDrift = 0.25
	// mostWindow is the longest window that is chosen; a longer one has to be named.
	// Unit: s. Source: convention. Test: TestWindowLength.
	mostWindow = 600.0
	// room is by how much the window is longer than the blocks say: their own estimate of
	// how slow answers come together is rough.
	// Unit: ratio. Source: simulated in TestReached.
	room = 1.3
	// growth is the step in which the length of the window is looked for.
	// Unit: ratio. Source: convention. Test: TestWindowLength.
	growth = 1.1
	// enoughAbove is how many answers must be slower than the upper end of an interval for
	// it to be one: beyond the last answer nothing is known.
	// Unit: answers. Source: arithmetic. Test: TestInterval.
	enoughAbove = 1.0
	// resolution is how exactly a percentile is read.
	// Unit: ratio. Source: three digits of the histogram (internal/measure/load).
	resolution = 1e-4
	// forever is the length of a window beyond which none is looked for.
	// Unit: s. Source: convention: a day. Test: TestWindowLength.
	forever = 86400.0
	// beyond is how much longer than the blocks a window may be for its interval to be read
	// from their distribution.
	// Unit: ratio. Source: convention: twice as narrow. Test: TestWindowLength.
	beyond = 4.0
	// tail is what a 90 % interval leaves out on each side.
	// Unit: probability. Source: the level of the intervals. Test: TestReached.
	tail = 0.05
	// bursty is the inflation above which ten blocks say too little of it.
	// Unit: ratio. Source: ten draws of a chi-square are within half of their mean; simulated in TestReached.
	bursty = 2.0
	// moreBlocks is how many times as many are looked at then.
	// Unit: ratio. Source: simulated in TestReached.
	moreBlocks = 4
	// patience is how long a block's last answers are waited for; those that take longer
	// count with their age.
	// Unit: s. Source: convention: twice a block.
	patience = 2
)
