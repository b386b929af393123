module wild/goleveldb-no-filter

go 1.23

require (
	github.com/syndtr/goleveldb v1.0.0
	wild/service v0.0.0
)

require github.com/golang/snappy v0.0.0-20180518054509-2e65f85255db // indirect

replace wild/service => ../../service
