module wild/ctl-gojq-bloom

go 1.23

require (
	github.com/bits-and-blooms/bloom/v3 v3.7.0
	github.com/itchyny/gojq v0.12.17
	wild/service v0.0.0
)

require (
	github.com/bits-and-blooms/bitset v1.10.0 // indirect
	github.com/itchyny/timefmt-go v0.1.6 // indirect
)

replace wild/service => ../../service
