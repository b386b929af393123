module wild/conc-iter-gomaxprocs

go 1.23

require (
	github.com/sourcegraph/conc v0.3.0
	wild/service v0.0.0
)

require (
	go.uber.org/atomic v1.7.0 // indirect
	go.uber.org/multierr v1.9.0 // indirect
)

replace wild/service => ../../service
