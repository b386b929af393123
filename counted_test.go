package unpark_test

import (
	"testing"

	"github.com/unpark-go/unpark"
)

func TestCounted(t *testing.T) {
	for got, want := range map[string]string{
		unpark.Counted(1, "process"): "1 process", unpark.Counted(2, "process"): "2 processes", unpark.Counted(0, "process"): "0 processes",
		unpark.Counted(1, "round"): "1 round", unpark.Counted(11, "round"): "11 rounds", unpark.Counted(-1, "core"): "-1 cores",
		unpark.Counted(2, "address with a bus"): "2 address with a buses", unpark.Counted(3, "search"): "3 searches",
		unpark.Plural("1", "core"): "1 core", unpark.Plural("1.0", "core"): "1.0 cores", unpark.Plural("1,000", "connection"): "1,000 connections",
		unpark.Plural("0.5", "core"): "0.5 cores",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
