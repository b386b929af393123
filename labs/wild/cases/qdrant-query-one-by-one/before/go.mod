module wild/qdrant-query-one-by-one

go 1.26.0

require (
	github.com/qdrant/go-client v1.16.2
	google.golang.org/grpc v1.76.0
	wild/service v0.0.0
)

require (
	golang.org/x/net v0.47.0 // indirect
	golang.org/x/sys v0.38.0 // indirect
	golang.org/x/text v0.31.0 // indirect
	google.golang.org/genproto/googleapis/rpc v0.0.0-20251111163417-95abcf5c77ba // indirect
	google.golang.org/protobuf v1.36.10 // indirect
)

replace wild/service => ../../service
