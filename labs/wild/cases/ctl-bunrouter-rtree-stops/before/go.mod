module wild/ctl-bunrouter-rtree-stops

go 1.26.0

require (
	github.com/tidwall/rtree v1.10.0
	github.com/uptrace/bunrouter v1.0.23
	wild/service v0.0.0
)

require github.com/tidwall/geoindex v1.7.0 // indirect

replace wild/service => ../../service
