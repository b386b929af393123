module wild/ctl-huma-fastcache-tariffs

go 1.26.0

require (
	github.com/VictoriaMetrics/fastcache v1.13.2
	github.com/danielgtaylor/huma/v2 v2.34.1
	wild/service v0.0.0
)

require (
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/golang/snappy v1.0.0 // indirect
	golang.org/x/sys v0.34.0 // indirect
)

replace wild/service => ../../service
