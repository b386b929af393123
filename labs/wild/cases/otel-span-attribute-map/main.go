// Flags of features for the apps of a bank: a request asks which are on for a customer. Every
// decision is put on the request's span, so that support can find out later why a customer saw
// what he saw; the rules that were tried have spans of their own.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"

	"go.opentelemetry.io/otel/attribute"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"wild/service"
)

const flags = 320

var areas = []string{"payments", "cards", "savings", "messages"}

// sent stands for the exporter of the house, which writes to an agent.
type sent struct{}

func (sent) ExportSpans(context.Context, []sdk.ReadOnlySpan) error { return nil }
func (sent) Shutdown(context.Context) error                        { return nil }

type flag struct {
	name    string
	percent uint32
	span    attribute.Key
}

type book struct {
	tracer trace.Tracer
	flags  []flag
}

func (b *book) decide(ctx context.Context, customer string) map[string]bool {
	ctx, span := b.tracer.Start(ctx, "decide")
	defer span.End()
	b.rules(ctx, customer)
	attrs := make([]attribute.KeyValue, 0, len(b.flags)+2)
	attrs = append(attrs, attribute.String("customer", customer), attribute.Int("flags", len(b.flags)))
	on := make(map[string]bool)
	h := fnv.New32a()
	for _, f := range b.flags {
		h.Reset()
		h.Write([]byte(f.name))
		h.Write([]byte(customer))
		yes := h.Sum32()%100 < f.percent
		attrs = append(attrs, f.span.Bool(yes))
		if yes {
			on[f.name] = true
		}
	}
	span.SetAttributes(attrs...)
	return on
}

func (b *book) rules(ctx context.Context, customer string) {
	for i, area := range areas {
		_, span := b.tracer.Start(ctx, "rule", trace.WithAttributes(attribute.String("area", area)))
		span.SetAttributes(attribute.Bool("applies", len(customer)%(i+2) == 0), attribute.Int("order", i))
		span.End()
	}
}

func main() {
	provider := sdk.NewTracerProvider(sdk.WithBatcher(sent{}))
	b := &book{tracer: provider.Tracer("flags")}
	for i := range flags {
		name := fmt.Sprintf("%s-%03d", areas[i%len(areas)], i)
		b.flags = append(b.flags, flag{name, uint32(i % 12), attribute.Key("feature." + name)})
	}
	http.HandleFunc("/flags", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(b.decide(r.Context(), r.FormValue("customer")))
	})
	service.Run(http.DefaultServeMux)
}
