// Package unparkagent has a name that the probe would take.
package unparkagent
