package unpark_test

import (
	"testing"

	"github.com/unpark-go/unpark"
)

func TestWithoutTypeArguments(t *testing.T) {
	for symbol, want := range map[string]string{
		"main.work":                                 "main.work",
		"main.(*Pool[...]).Acquire":                 "main.(*Pool).Acquire",
		"main.Sum[go.shape.int]":                    "main.Sum",
		"main.Sum[go.shape.map[string][]int].func1": "main.Sum.func1",
		"main.cut[x":                                "main.cut",
		"main.odd]":                                 "main.odd]",
		"":                                          "",
	} {
		if got := unpark.WithoutTypeArguments(symbol); got != want {
			t.Errorf("%q: %q, want %q", symbol, got, want)
		}
	}
}
