package exchange

import "time"

const (
	// maxMessage bounds what is read of a file or an answer.
	// Unit: bytes. Source: package profile, the bound of one profile. Test: TestHostileOTLP.
	maxMessage = 128 << 20
	// maxRefs bounds the locations and labels of all samples together: a message may name one long stack in each sample.
	// Unit: references. Source: package profile, two million samples of ten frames. Test: TestHostileOTLP.
	maxRefs = 20 << 20
	// maxProfiles bounds the profiles of one message.
	// Unit: profiles. Source: ten kinds of 128 processes, with four values each. Test: TestHostileOTLP.
	maxProfiles = 8192
	// deepest bounds how deep messages nest: the decoder calls itself for each level.
	// Unit: levels. Source: the schema has 9, values of attributes may nest. Test: TestHostileOTLP.
	deepest = 100
	// scrape is how long the interval is that a snapshot is taken from: in a longer one there are several, and Pyroscope adds them up.
	// Unit: time. Source: Pyroscope, how often its clients send by default. Test: TestPyroscope.
	scrape = 15 * time.Second
	// gap is the part of a range without CPU profiles above which rates are too low by so much that it is told.
	// Unit: ratio. Source: convention, as a generator's lag. Test: TestPyroscope.
	gap = 0.1
)
