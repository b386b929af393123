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

func TestShortFunction(t *testing.T) {
	for symbol, want := range map[string][2]string{ // short, package
		"main.work":                                        {"main.work", "main"},
		"net/http.(*conn).serve":                           {"http.(*conn).serve", "net/http"},
		"example.com/a/store.Sum[go.shape.int]":            {"store.Sum[...]", "example.com/a/store"},
		"pkg.(*Map[go.shape.string,go.shape.[]uint8]).Get": {"pkg.(*Map[...]).Get", "pkg"},
		"example.com/a/pkg.(*Map[example.com/b/key.Key,go.shape.[]uint8]).Get.func1": {"pkg.(*Map[...]).Get.func1", "example.com/a/pkg"},
		"example.com/a/pkg.Map[example.com/b.List[example.com/c.X]].Get":             {"pkg.Map[...].Get", "example.com/a/pkg"},
		"example.com/a/pkg.(*Pair[...]).Zip[...]":                                    {"pkg.(*Pair[...]).Zip[...]", "example.com/a/pkg"},
		"example.com/a/v2.cut[x/y":                                                   {"a.cut[x/y", "example.com/a/v2"},
		"github.com/jackc/puddle/v2.(*Pool[go.shape.*uint8]).Acquire.func2":          {"puddle.(*Pool[...]).Acquire.func2", "github.com/jackc/puddle/v2"},
		"github.com/google/flatbuffers/go.(*Builder).Finish":                         {"flatbuffers.(*Builder).Finish", "github.com/google/flatbuffers/go"},
		"github.com/nats-io/nats%2ego.(*Conn).Flush":                                 {"nats.go.(*Conn).Flush", "github.com/nats-io/nats%2ego"},
		"example.com/v2.Get":      {"v2.Get", "example.com/v2"},
		"example.com/a/vault.Get": {"vault.Get", "example.com/a/vault"},
		"odd].x[y].z[":            {"odd].x[...].z[", "odd]"},
		"memmove":                 {"memmove", "memmove"},
		"":                        {"", ""},
	} {
		if got := unpark.ShortFunction(symbol); got != want[0] {
			t.Errorf("%q: %q, want %q", symbol, got, want[0])
		}
		if got := unpark.PackageOf(symbol); got != want[1] {
			t.Errorf("the package of %q: %q, want %q", symbol, got, want[1])
		}
	}
}
