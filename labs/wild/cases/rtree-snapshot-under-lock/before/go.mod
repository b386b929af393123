module wild/rtree-snapshot-under-lock

go 1.26.0

require (
	github.com/tidwall/rtree v1.10.0
	wild/service v0.0.0
)

require github.com/tidwall/geoindex v1.7.0 // indirect

replace wild/service => ../../service
