// Package survey reads what a repository says of its services, from source text
// alone: nothing is built, started or downloaded.
//
//  1. The go command lists modules, packages and files (go list -find).
//  2. From each program the packages that it imports are parsed, nearest first, as
//     far as their source is in the workspace (source.go).
//  3. Expressions are folded where they are constants, and followed to the default of
//     a flag (fold.go).
//  4. Calls and literals tell of routes (routes.go), of what their handlers need
//     (handlers.go), of flags and variables (inputs.go), addresses (addresses.go) and
//     commands (commands.go).
//  5. [Survey.Draft] writes the project file: what was read, and as comments what
//     stands beside it (draft.go).
//
// The principles are those of net/http, package flag, cobra, chi, gin, echo, fiber and
// gorilla/mux, by the shape of their calls; no program is known by its name. What is
// no constant is counted and told, never guessed.
package survey
