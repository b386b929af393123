//go:build nomodules

package advice

// modules says that the catalogue has only what it says of Go itself: a program that is built so judges services of
// well-known modules as it judges those of unknown ones (labs/wild -unknown).
const modules = false
