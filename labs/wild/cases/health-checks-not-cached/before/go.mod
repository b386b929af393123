module wild/health-checks-not-cached

go 1.26.0

require (
	github.com/alexliesenfeld/health v0.8.0
	wild/service v0.0.0
)

replace wild/service => ../../service
