module wild/golangset-iter-while-pushing

go 1.26.0

require (
	github.com/deckarep/golang-set/v2 v2.8.0
	wild/service v0.0.0
)

replace wild/service => ../../service
