package mcp

import "time"

// How long answers are.
const (
	// pageBytes is how long a page is: 2,000 tokens at three and a half bytes each, less the line that says where the next is.
	// Unit: bytes. Source: tokens of English and code have 3.5 to 4.5 bytes. Test: TestPages.
	pageBytes = 6800
	// lineBytes is how long one line of it is.
	// Unit: bytes. Source: convention. Test: TestPages.
	lineBytes = 1000
	// quotedBytes is how much of a wrong argument is quoted.
	// Unit: bytes. Source: convention. Test: TestWrongArguments.
	quotedBytes = 60
	// kept is how many lines of a measurement's progress are kept.
	// Unit: lines. Source: convention.
	kept = 40
	// told is how many of them are told of one that failed.
	// Unit: lines. Source: convention.
	told = 12
	// mostRuns is how many runs the history has.
	// Unit: runs. Source: convention: each is read, some ms.
	mostRuns = 200
	// mostRows is how many callers and callees are told.
	// Unit: rows. Source: convention.
	mostRows = 12
	// quotedLines is how many lines of source are quoted on each side.
	// Unit: lines. Source: convention.
	quotedLines = 6
)

// How long things take.
const (
	// longestWait is how long one call of wait may take: clients give a call up after a minute.
	// Unit: s. Source: the SDKs' default request timeout of 60 s.
	longestWait = 50 * time.Second
	// patience is how long a measurement has to end when it is told to.
	// Unit: s. Source: the rates of a target are put back in a second, and a partial run is written.
	patience = 20 * time.Second
	// lonely is how long a measurement goes on without a client over HTTP, where none says that it goes away.
	// Unit: s. Source: convention: a client that waits asks once a minute.
	lonely = 10 * time.Minute
)
