module wild/protobuf-nested-map

go 1.26.0

require (
	github.com/golang/protobuf v1.2.0
	wild/service v0.0.0
)

require golang.org/x/sync v0.24.0 // indirect

replace wild/service => ../../service
