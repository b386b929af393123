package prove

import "time"

// How much is asked of both arms.
const (
	// mostRequests is how many different requests are asked: with 17 answers each of four starts it is some seconds of a
	// service that answers in milliseconds.
	// Unit: requests. Source: convention.
	mostRequests = 16
	// variants is how many requests stand for one that is made anew each time.
	// Unit: requests. Source: convention.
	variants = 3
	// atOnce is how many ask at once, to see answers that go wrong beside others.
	// Unit: requests. Source: convention: more than the processors of a small machine. Test: TestCheats.
	atOnce = 8
	// pause is between asking and asking later: longer than the second in which many times are given.
	// Unit: s. Source: RFC 9110 section 5.6.7, whose dates have whole seconds. Test: TestCheats.
	pause = 1100 * time.Millisecond
	// mostBody is how much of an answer is compared by what it says; a longer one by its digest.
	// Unit: bytes. Source: convention.
	mostBody = 4 << 20
	// deepest is how many messages of gRPC may be within one another; what is deeper is compared as bytes.
	// Unit: messages. Source: convention; protobuf's own limit is 100 to 10,000. Test: TestCallsOfGRPC.
	deepest = 32
	// attempts is how often a difference has to be seen: by chance an answer varies rarely.
	// Unit: attempts. Source: convention.
	attempts = 2
)

// What is read of trees and tests.
const (
	// mostFiles is how many files a folder in no repository may have.
	// Unit: files. Source: convention: the Go repository has 15,000.
	mostFiles = 200_000
	// mostBytes is how large they may be in all.
	// Unit: bytes. Source: convention.
	mostBytes = 4 << 30
	// longestTests is how long the tests may take, on each tree.
	// Unit: s. Source: the default of go test -timeout, twice.
	longestTests = 20 * time.Minute
	// mostDocument is how much of a document is read.
	// Unit: bytes. Source: convention: real ones have some kB.
	mostDocument = 8 << 20
	// keptOutput is how much of what tests print is kept.
	// Unit: bytes. Source: convention.
	keptOutput = 4 << 10
)

// leastShare is how much of its share of the load a request may lose, by rounding.
// Unit: ratio. Source: convention. Test: TestWeaker.
const leastShare = 0.99
