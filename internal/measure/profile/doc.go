// Package profile reads, joins, subtracts and labels pprof profiles.
//
//  1. [Decode] inflates within bounds and parses one profile of one process. A
//     body that is no profile is an error that says what it is instead.
//  2. Frames are expanded: a location with inlined calls is several frames, leaf
//     first. Frames are interned over the whole program, so that the same stack
//     in 128 processes costs its text once.
//  3. [Merge] adds processes, [Profile.Sub] turns two readings of a cumulative
//     kind into the interval between them. Both compare stacks by function, file
//     and line, never by address, which differs between processes.
//  4. [Catalogue.Label] says what a stack served (request, background, runtime,
//     observer), what it waited for and which frame is the application's.
//  5. [Profile.Flame] is the merged call tree in columns.
//
// Values are in seconds, bytes and counts. Nothing a sample holds is dropped: all
// sample types and labels survive [Merge], [Profile.Sub] and [Profile.Write].
// Addresses and all mappings but the first are, because they mean nothing once
// processes are joined.
package profile
