module wild/ctl-geo-nearest

go 1.23

require (
	github.com/paulmach/orb v0.11.1
	wild/service v0.0.0
)

replace wild/service => ../../service
