//go:build !unix

package load

import "github.com/unpark-go/unpark"

// processCPU is unknown here.
func processCPU() unpark.Number { return unpark.Number{} }
