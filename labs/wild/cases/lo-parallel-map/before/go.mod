module wild/lo-parallel-map

go 1.23

require (
	github.com/samber/lo v1.53.0
	wild/service v0.0.0
)

require golang.org/x/text v0.22.0 // indirect

replace wild/service => ../../service
