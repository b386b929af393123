// Package image reads the executable of a Go process: its build, its sections, and where they
// lie in the process.
package image
