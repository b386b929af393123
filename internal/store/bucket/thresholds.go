package bucket

import "time"

const (
	// maxManifest bounds what is read of a manifest or draft: 65,536 files take 12 MB.
	// Unit: bytes. Source: as many files as a run directory may have, store.maxEntries. Test: TestHostileManifest.
	maxManifest = 16 << 20
	// maxFiles is how many files a directory may have.
	// Unit: files. Source: store.maxEntries. Test: TestHostileManifest.
	maxFiles = 1 << 16
	// maxFile bounds one file: it is sent in one request, so that no part of one is left over.
	// Unit: bytes. Source: S3, the largest object of one PUT. Test: TestHostileManifest.
	maxFile = 5 << 30
	// maxDocument bounds a document that is fetched for a list.
	// Unit: bytes. Source: store.maxDocument. Test: TestMirror.
	maxDocument = 64 << 20
	// longestFile is how long the name of a file may be, with its folders.
	// Unit: bytes. Source: S3, keys of 1,024 bytes, which have the prefix and the run as well. Test: TestHostileManifest.
	longestFile = 700
	// longestRun is how long the name of a run may be.
	// Unit: bytes. Source: file systems, names of 255 bytes with what a temporary one adds. Test: TestRunNames.
	longestRun = 200
	// parallel is how many requests are under way at once.
	// Unit: requests. Source: convention; 1,000 runs are two requests each, and most of a request is waiting.
	parallel = 16
	// abandoned is how old the draft of another directory must be for a push to take its name over.
	// Unit: time. Source: convention, longer than any upload. Test: TestDraftOfAnother.
	abandoned = 24 * time.Hour
	// room is how much a mirror keeps; of more, the runs that were opened longest ago lose their files, not their documents.
	// Unit: bytes. Source: convention, some hundred runs of 10 MB. Test: TestTrim.
	room = 4 << 30
)
