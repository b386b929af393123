module wild/evio-loop-waits-for-partner

go 1.26.0

require (
	github.com/tidwall/evio v1.0.8
	wild/service v0.0.0
)

require github.com/kavu/go_reuseport v1.5.0 // indirect

replace wild/service => ../../service
