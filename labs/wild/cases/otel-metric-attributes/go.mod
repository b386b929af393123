module wild/otel-metric-attributes

go 1.24.0

require wild/service v0.0.0

replace wild/service => ../../service
