module wild/ctl-failsafe-slow-partner

go 1.26.0

require (
	github.com/failsafe-go/failsafe-go v0.9.8
	wild/service v0.0.0
)

require (
	github.com/bits-and-blooms/bitset v1.24.4 // indirect
	github.com/influxdata/tdigest v0.0.1 // indirect
)

replace wild/service => ../../service
