// Package serve answers for a process that is read from outside as unpark's probe would from inside
// (probe/agent): the same pages in the same words, so that a window, a watch and a capture need not
// know which of them it is.
package serve
