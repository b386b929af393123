// Package mcp serves unpark to a program that makes changes: six tools of the Model Context Protocol (unpark mcp).
//
// find and prove start a measurement and return at once; wait says how far it is, then the verdict; drill, predict and
// history read what was measured. Each measurement is a child process of its own, the same command that a person would
// type, so that whatever holds for that holds here: hosts that may be loaded, rates put back, partial runs kept. Children end
// with the server.
//
// Answers are text of at most a budget, in pages (page.go); an error says the cure.
package mcp
