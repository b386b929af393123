// Package dep is vendored.
package dep

// Name is what the program prints.
const Name = "vendored"
