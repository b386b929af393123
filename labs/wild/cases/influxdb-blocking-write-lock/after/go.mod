module wild/influxdb-blocking-write-lock

go 1.25

require (
	github.com/influxdata/influxdb-client-go/v2 v2.14.0
	wild/service v0.0.0
)

require (
	github.com/apapsch/go-jsonmerge/v2 v2.0.0 // indirect
	github.com/google/uuid v1.3.1 // indirect
	github.com/influxdata/line-protocol v0.0.0-20200327222509-2487e7298839 // indirect
	github.com/oapi-codegen/runtime v1.0.0 // indirect
	golang.org/x/net v0.23.0 // indirect
)

replace wild/service => ../../service
