package index

// How much is looked at, read and written at once.
const (
	// patience is how long another process that writes is waited for, in ms.
	// Unit: ms. Source: a transaction of a hundred rows takes some milliseconds. Test: TestLocked.
	patience = 1000
	// batch is how many rows are written at once: readers wait for no more.
	// Unit: rows. Source: a hundred documents are read in about a second. Test: TestProgress.
	batch = 100
	// largest bounds what is read of the document of an experiment.
	// Unit: bytes. Source: as a run document's. Test: TestStates.
	largest = 64 << 20
	// layout is the version of the tables: an index of another one is made again.
	// Unit: 1. Source: the tables of this package, and what rows hold. Test: TestBrokenIndex.
	layout = 2
	// kept is how many findings of a run have their cost kept; all can be searched for.
	// Unit: findings. Source: convention, a screen of them. Test: TestRows.
	kept = 5
	// deepest is how far below the folder directories are looked at: a folder for each service, one for each experiment, its runs.
	// Unit: folders. Source: convention. Test: TestRows.
	deepest = 4
	// most is how many directories are looked at.
	// Unit: folders. Source: convention, a hundred times the runs of a year.
	most = 200_000
)
