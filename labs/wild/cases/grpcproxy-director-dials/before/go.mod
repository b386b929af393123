module wild/grpcproxy-director-dials

go 1.26.0

require (
	github.com/mwitkow/grpc-proxy v0.0.0-20230212185441-f345521cb9c9
	google.golang.org/grpc v1.75.0
	wild/service v0.0.0
)

require (
	golang.org/x/net v0.41.0 // indirect
	golang.org/x/sys v0.33.0 // indirect
	golang.org/x/text v0.26.0 // indirect
	google.golang.org/genproto/googleapis/rpc v0.0.0-20261110000943-09e21b237f2c // indirect
	google.golang.org/protobuf v1.36.12 // indirect
)

replace wild/service => ../../service
