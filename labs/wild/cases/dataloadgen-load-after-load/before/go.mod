module wild/dataloadgen-load-after-load

go 1.26.0

require (
	github.com/vikstrous/dataloadgen v0.0.10
	wild/service v0.0.0
)

require (
	go.opentelemetry.io/otel v1.11.1 // indirect
	go.opentelemetry.io/otel/trace v1.11.1 // indirect
)

replace wild/service => ../../service
