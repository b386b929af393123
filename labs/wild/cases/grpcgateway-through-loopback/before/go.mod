module wild/grpcgateway-through-loopback

go 1.26.0

require (
	github.com/grpc-ecosystem/grpc-gateway/v2 v2.29.0
	go.etcd.io/etcd/api/v3 v3.7.1
	google.golang.org/grpc v1.82.1
	wild/service v0.0.0
)

require (
	github.com/golang/protobuf v1.5.4 // indirect
	golang.org/x/net v0.55.0 // indirect
	golang.org/x/sys v0.45.0 // indirect
	golang.org/x/text v0.37.0 // indirect
	google.golang.org/genproto/googleapis/api v0.0.0-20260414002931-afd174a4e478 // indirect
	google.golang.org/genproto/googleapis/rpc v0.0.0-20260414002931-afd174a4e478 // indirect
	google.golang.org/protobuf v1.36.11 // indirect
)

replace wild/service => ../../service
