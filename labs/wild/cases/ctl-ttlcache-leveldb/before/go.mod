module wild/ctl-ttlcache-leveldb

go 1.23.0

require (
	github.com/jellydator/ttlcache/v3 v3.4.1
	github.com/syndtr/goleveldb v1.0.0
	wild/service v0.0.0
)

require (
	github.com/golang/snappy v0.0.0-20180518054509-2e65f85255db // indirect
	golang.org/x/sync v0.16.0 // indirect
)

replace wild/service => ../../service
