// A gateway that counts every stage of a request, each with its attributes, which were made once.
package main

import (
	"fmt"
	"log"
	"net/http"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	sdk "go.opentelemetry.io/otel/sdk/metric"

	"wild/service"
)

func main() {
	provider := sdk.NewMeterProvider(sdk.WithReader(sdk.NewManualReader()))
	stages, err := provider.Meter("gateway").Int64Counter("stages")
	if err != nil {
		log.Fatal(err)
	}
	var attributes []metric.AddOption
	for i := range 60 {
		attributes = append(attributes, metric.WithAttributeSet(attribute.NewSet(
			attribute.String("http.request.method", "GET"),
			attribute.String("http.route", "/api/v1/items/{id}"),
			attribute.String("network.protocol.name", "http"),
			attribute.String("network.protocol.version", "1.1"),
			attribute.String("server.address", "gateway.internal"),
			attribute.Int("server.port", 8443),
			attribute.String("url.scheme", "https"),
			attribute.String("deployment.environment", "production"),
			attribute.String("stage.name", fmt.Sprintf("stage-%d", i)),
			attribute.String("stage.kind", "filter"),
		)))
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/route", func(w http.ResponseWriter, r *http.Request) {
		for _, stage := range attributes {
			stages.Add(r.Context(), 1, stage)
		}
		fmt.Fprintln(w, "ok")
	})
	service.Run(mux)
}
