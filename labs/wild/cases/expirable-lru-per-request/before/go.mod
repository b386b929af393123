module wild/expirable-lru-per-request

go 1.26.0

require (
	github.com/hashicorp/golang-lru/v2 v2.0.7
	wild/service v0.0.0
)

replace wild/service => ../../service
