module wild/ctl-lru-singleflight

go 1.23

require (
	github.com/hashicorp/golang-lru/v2 v2.0.7
	golang.org/x/sync v0.10.0
	wild/service v0.0.0
)

replace wild/service => ../../service
