module wild/golanglru-evict-fsync

go 1.23

require (
	github.com/hashicorp/golang-lru v0.6.0
	wild/service v0.0.0
)

replace wild/service => ../../service
