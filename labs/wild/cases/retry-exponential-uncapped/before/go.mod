module wild/retry-exponential-uncapped

go 1.26.0

require (
	github.com/sethvargo/go-retry v0.5.0
	wild/service v0.0.0
)

replace wild/service => ../../service
