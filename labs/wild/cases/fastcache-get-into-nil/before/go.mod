module wild/fastcache-get-into-nil

go 1.26.0

replace wild/service => ../../service

require (
	github.com/VictoriaMetrics/fastcache v1.13.2
	wild/service v0.0.0
)

require (
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/golang/snappy v1.0.0 // indirect
	golang.org/x/sys v0.34.0 // indirect
)
