// Package index lists the runs of a folder, so that thousands are told at once: an SQLite file in the user's cache, made
// from the documents in the folder and never the truth (decision 38). Begin at [Open]:
//
//  1. scan.go finds what the folder holds: directories of runs, of unpark ab and of unpark bisect, finished or not.
//  2. refresh.go reads the documents that are new or have changed, and forgets those that are gone. What cannot be read is a
//     [Row] with its reason.
//  3. row.go says what is kept of a document.
//  4. query.go answers [Query].
//
// An index that is corrupt is thrown away and made again; one that cannot be used is made in memory. [Index.Notices] says so.
// Notes and tags are the user's words and stand in a file of the folder itself (package notes).
package index
