module wild/gometrics-meter-per-part

go 1.26.0

require (
	github.com/rcrowley/go-metrics v0.0.0-20250401214520-65e299d6c5c9
	wild/service v0.0.0
)

replace wild/service => ../../service
