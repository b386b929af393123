package web

import "time"

// What a page shows at most, how often it is kept up to date, and what is taken from it.
const (
	// largestDocument bounds what is read of an experiment.
	// Unit: bytes. Source: as a run document's. Test: TestPages.
	largestDocument = 64 << 20
	// largestAsk bounds what a page may send as JSON.
	// Unit: bytes. Source: the longest note and its tags. Test: TestNote.
	largestAsk = 64 << 10
	// silent is how long a run may show nothing and still be taken to go on.
	// Unit: time. Source: convention; a build is the longest that says nothing. Test: TestUnderWay.
	silent = 2 * time.Minute
	// glance is how often a run that is under way is read.
	// Unit: time. Source: half of what it writes at. Test: TestLive.
	glance = 500 * time.Millisecond
	// largestLive bounds what is read of its progress.
	// Unit: bytes. Source: a day of lines. Test: TestLive.
	largestLive = 32 << 20
	// mostCompared is how many runs are compared at once.
	// Unit: runs. Source: convention, as many columns as a screen has. Test: TestPages.
	mostCompared = 8
	// mostSeries is how many series of a service are shown, those that ran last.
	// Unit: series. Source: convention, some screens. Test: TestSeries.
	mostSeries = 8
	// mostRuns is how many runs of a series are shown, the last ones: as many as changes are looked for in.
	// Unit: runs. Source: as changepoint's longest. Test: TestSeries.
	mostRuns = 300
	// mostFindings is how many findings of a series are shown, those that were there last.
	// Unit: findings. Source: convention, a screen. Test: TestSeries.
	mostFindings = 6
	// grace is how long answers that are under way may take at the end.
	// Unit: time. Source: convention, how long a person at a terminal waits. Test: TestEvents.
	grace = 2 * time.Second
	// largestTaken bounds the files of one import.
	// Unit: bytes. Source: four traces of the largest that unpark records, 64 MB. Test: TestImport.
	largestTaken = 256 << 20
	// mostTaken is how many files are one run.
	// Unit: files. Source: convention, all kinds of three processes. Test: TestImport.
	mostTaken = 32
	// pace is how often the folder is looked at while a page is open.
	// Unit: time. Source: a look at 2,000 runs takes some hundredths of a second. Test: TestEvents.
	pace = 2 * time.Second
	// idle is how long after the last request it is still looked at.
	// Unit: time. Source: convention; an open page asks by its stream of events. Test: TestEvents.
	idle = time.Minute
	// asking is how often a store is asked what is new: a request each time.
	// Unit: time. Source: convention, a listing of 1,000 runs is one request and takes some tens of ms. Test: TestRemote.
	asking = 10 * time.Second
)
