// Package lib is no program.
package lib

// Greeting is what the programs print.
const Greeting = "plain"
