module wild/fsm-one-machine-for-all-parcels

go 1.26.0

require (
	github.com/looplab/fsm v1.0.3
	wild/service v0.0.0
)

replace wild/service => ../../service
