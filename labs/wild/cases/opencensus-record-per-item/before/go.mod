module wild/opencensus-record-per-item

go 1.26.0

require (
	go.opencensus.io v0.24.0
	wild/service v0.0.0
)

replace wild/service => ../../service
