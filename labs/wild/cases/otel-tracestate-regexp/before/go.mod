module wild/otel-tracestate-regexp

go 1.23

require (
	go.opentelemetry.io/otel v1.21.0
	go.opentelemetry.io/otel/trace v1.21.0
	wild/service v0.0.0
)

replace wild/service => ../../service
