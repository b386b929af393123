module wild/stats-percentile-sorts-each

go 1.26.0

require (
	github.com/montanaflynn/stats v0.9.0
	wild/service v0.0.0
)

replace wild/service => ../../service
