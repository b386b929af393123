//go:build !linux

package main

import "github.com/unpark-go/unpark"

// writable is not asked: there are no cgroups.
func writable(string) bool { return false }

// freeBytes is unknown here.
func freeBytes(string) unpark.Number { return unpark.Number{} }
