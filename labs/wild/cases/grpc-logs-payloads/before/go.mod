module wild/grpc-logs-payloads

go 1.26.0

require (
	github.com/grpc-ecosystem/go-grpc-middleware/v2 v2.3.3
	google.golang.org/genproto v0.0.0-20260729162451-8efbd57d26e0
	google.golang.org/grpc v1.85.0
	google.golang.org/protobuf v1.36.12
	wild/service v0.0.0
)

require (
	golang.org/x/net v0.60.0 // indirect
	golang.org/x/sys v0.48.0 // indirect
	golang.org/x/text v0.42.0 // indirect
	google.golang.org/genproto/googleapis/api v0.0.0-20260817212433-ac3dfec99bb1 // indirect
	google.golang.org/genproto/googleapis/rpc v0.0.0-20260817212433-ac3dfec99bb1 // indirect
)

replace wild/service => ../../service
