package diagnose

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// short drops the import path before the package: "cache.(*Cache).Get".
func short(function string) string { return unpark.ShortFunction(function) }

func fact(text string, v float64, unit, source string) unpark.Fact {
	return unpark.Fact{Text: text, Value: unpark.Num(v), Unit: unit, Source: source}
}

func numberFact(text string, n unpark.Number, unit, source string) []unpark.Fact {
	v, ok := n.Get()
	if !ok {
		return nil
	}
	return []unpark.Fact{fact(text, v, unit, source)}
}

func path(stack []unpark.Site) []unpark.Site {
	return stack[:min(len(stack), maxPath)]
}

func pointer(s unpark.Site) *unpark.Site {
	if s.IsZero() {
		return nil
	}
	return &s
}

// kernelFacts are the calls of read and write that the kernel counted.
func kernelFacts(m *model.Model) []unpark.Fact {
	w := m.Wire
	if w.Reads <= 0 || w.Writes <= 0 {
		return nil
	}
	return []unpark.Fact{
		fact("read calls for each request, with those that found nothing", w.Reads, "count", "/proc/PID/io"),
		fact("write calls for each request", w.Writes, "count", "/proc/PID/io"),
		fact("bytes of a write call, mean", w.Bytes, "B", "/proc/PID/io"),
	}
}
