module wild/tally-tagged-per-event

go 1.26.0

require (
	github.com/uber-go/tally/v4 v4.1.17
	wild/service v0.0.0
)

require (
	github.com/golang/mock v1.6.0 // indirect
	github.com/twmb/murmur3 v1.1.8 // indirect
	go.uber.org/atomic v1.11.0 // indirect
)

replace wild/service => ../../service
