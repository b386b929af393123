// Package bucket keeps run directories in an object store that speaks S3, beside the directories of package store.
//
//  1. A directory is kept as it is, file by file: PREFIX/RUN/run.json, PREFIX/RUN/window-01/PID/cpu.pb.gz.
//  2. It is visible by its [Manifest] alone, PREFIX/.unpark/RUN.json, with the size and the SHA-256 of each file, which is written last.
//     One listing of PREFIX/.unpark tells all runs; what has no manifest is not there.
//  3. An upload begins with a draft of the manifest, PREFIX/.unpark/RUN.draft. What was interrupted is found by it: the next
//     [Store.Push] of the directory goes on where it ended, [Store.Clean] removes it.
//  4. Draft and manifest are created only where there is none (If-None-Match: *). A server that does not know that is found out by
//     writing the draft twice; then the manifest is looked for before it is written and read back afterwards (decision 40).
//  5. Each file that is read is held against the manifest. A [Mirror] keeps those that were needed in the user's cache.
//
// Nothing in a store is trusted: names may not lead out of a run, sizes and numbers are bounded. Credentials come from the usual places
// of AWS and are in no address, document or error.
package bucket
