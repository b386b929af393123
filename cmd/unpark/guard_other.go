//go:build !unix

package main

import "os"

const canSignal = false

func userSignals() (<-chan os.Signal, func()) { return nil, func() {} }
