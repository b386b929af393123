// Package agent is what a profiled process runs.
package agent
