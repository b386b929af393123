module wild/datadog-packet-per-metric

go 1.23

require (
	github.com/DataDog/datadog-go v2.2.0+incompatible
	wild/service v0.0.0
)

replace wild/service => ../../service
