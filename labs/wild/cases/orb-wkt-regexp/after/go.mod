module wild/orb-wkt-regexp

go 1.26.0

require (
	github.com/paulmach/orb v0.11.0
	wild/service v0.0.0
)

replace wild/service => ../../service
