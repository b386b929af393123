//go:build !unix

package main

import "github.com/unpark-go/unpark"

// mostFiles is unknown: there is no such limit.
func mostFiles() unpark.Number { return unpark.Number{} }
