module wild/gocmp-drift

go 1.23

require (
	github.com/google/go-cmp v0.7.0
	wild/service v0.0.0
)

replace wild/service => ../../service
